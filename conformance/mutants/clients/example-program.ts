import { join } from "node:path";
import { kitNames, kitText } from "../../engine/data/packed-files.ts";
import { PATHS } from "../../paths.ts";
import { type Program, programOf, type Sources } from "../reference-program.ts";

/** Where the example client lies. */
export const EXAMPLE_FOLDER = join(PATHS.examples, "clients", "typescript");

/** The source of the example client in TypeScript. */
export function exampleSources(): Sources {
  const names = kitNames(EXAMPLE_FOLDER).filter((name) => name.endsWith(".ts"));
  return new Map(names.map((name) => [name, kitText(join(EXAMPLE_FOLDER, name))]));
}

/** The example client, for edits. */
export function exampleProgram(): Program {
  return programOf(exampleSources());
}
