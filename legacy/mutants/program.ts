/** The programs that mutants are edits of. */
import { join } from "node:path";
import { kitNames, kitText } from "../engine/data/packed-files.ts";
import { PATHS } from "../paths.ts";
import { type Token, tokensOf, withoutLayout } from "./tokens.ts";

/** The source of a program: file name to text. */
export type Sources = ReadonlyMap<string, string>;

/** A file of a program that edits are made to, with no more layout than its lines. */
export interface ProgramFile {
  readonly name: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

export type Program = readonly ProgramFile[];

/** Folder of the example client. */
export const EXAMPLE_FOLDER = join(PATHS.examples, "clients", "typescript");

/** The bundled reference, for edits. */
export function referenceProgram(): Program {
  return programOf(referenceSources());
}

/** The example client, for edits. */
export function exampleProgram(): Program {
  return programOf(sourcesIn(EXAMPLE_FOLDER));
}

/** The source of the bundled reference, without its tests. */
export function referenceSources(): Sources {
  return sourcesIn(PATHS.referenceSources);
}

function sourcesIn(folder: string): Sources {
  const names = kitNames(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return new Map(names.map((name) => [name, kitText(join(folder, name))]));
}

/** Prepares sources for edits. */
export function programOf(sources: Sources): Program {
  return [...sources].map(([name, source]) => {
    const text = withoutLayout(source);
    return { name, text, tokens: tokensOf(text) };
  });
}
