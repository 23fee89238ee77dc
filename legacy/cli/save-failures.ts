import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GatedReport } from "../policies/gated-report.ts";
import type { Output } from "./output.ts";
import { makeFolder } from "./write-file.ts";

/** In place of what stands there, but not through a symbolic link to what stands elsewhere. */
const IN_PLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/**
 * Writes the counterexample of every failed property as a suite of one vector, for `replay` and for good.
 * @returns whether all could be written; a file that could not is one line
 */
export function saveFailures({ results }: GatedReport, folder: string, output: Output): boolean {
  let complete = true;
  for (const { id, vector } of results) {
    if (vector === undefined) continue;
    const file = join(folder, `${id.replaceAll("/", "-")}.yaml`);
    try {
      makeFolder(folder);
      writeInPlace(file, vector);
      output.err(`${file} written\n`);
    } catch (error) {
      complete = false;
      const why = (error as NodeJS.ErrnoException).code ?? String(error);
      output.err(`${file}: the counterexample could not be written (${why})\n`);
    }
  }
  return complete;
}

function writeInPlace(file: string, text: string): void {
  const descriptor = openSync(file, IN_PLACE, 0o666);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}
