import { DataError } from "../legacy/engine/data/data-error.ts";

/**
 * Ends the process with the status that a script's work comes to: 2 and one line for data that it cannot use.
 * @throws whatever else the work throws: a fault of the script
 */
export async function endWith(work: Promise<number>): Promise<void> {
  try {
    process.exitCode = await work;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
