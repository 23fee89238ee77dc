import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GatedReport } from "../policies/gated-report.ts";
import type { Output } from "./output.ts";

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
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, vector);
      output.err(`${file} written\n`);
    } catch (error) {
      complete = false;
      const why = (error as NodeJS.ErrnoException).code ?? String(error);
      output.err(`${file}: the counterexample could not be written (${why})\n`);
    }
  }
  return complete;
}
