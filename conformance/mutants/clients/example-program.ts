import { join } from "node:path";
import { kitNames, kitText } from "../../engine/data/packed-files.ts";
import { PATHS } from "../../paths.ts";
import { moduleFromSources } from "../module-from-sources.ts";
import { type Program, programOf, type Sources } from "../reference-program.ts";
import type { ClientModule } from "./client-in-thread.ts";

const FOLDER = join(PATHS.examples, "clients", "typescript");

/** The source of the example client in TypeScript. */
export function exampleSources(): Sources {
  const names = kitNames(FOLDER).filter((name) => name.endsWith(".ts"));
  return new Map(names.map((name) => [name, kitText(join(FOLDER, name))]));
}

/** The example client, for edits. */
export function exampleProgram(): Program {
  return programOf(exampleSources());
}

/** Makes a client of sources: see {@link moduleFromSources}. */
export function clientFromSources(sources: Sources): Promise<ClientModule> {
  return moduleFromSources(sources, "client.ts");
}
