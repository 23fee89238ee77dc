import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DATA_FOLDER } from "../contract/openapi.ts";

/** Returns the version of the kit. */
export function readVersion(): string {
  return JSON.parse(readFileSync(join(DATA_FOLDER, "..", "package.json"), "utf8")).version;
}
