import { CommanderError } from "commander";
import { AdapterFault } from "../adapters/adapter.ts";
import { DataError } from "../engine/data/data-error.ts";
import { plain } from "../plain-text.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = 2;
const BROKEN = 3;

/** One line for everything that can go wrong by what the user gave; the kit's own faults keep their stack. */
export function reportError(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof DataError || error instanceof UsageError) {
    output.err(`${plain(error.message)}\n`);
    return USAGE;
  }
  if (error instanceof AdapterFault) return reportBroken(error, "implementation", output);
  throw error;
}

/** Says that what was to be judged broke before anything could be said of it, and why. @returns the exit status */
export function reportBroken({ message, log }: AdapterFault, what: string, output: Output): number {
  output.err(`the ${what} could not be run: ${plain(message)}\n`);
  if (log !== undefined && log !== "") output.err(`its standard error:\n${indented(log)}\n`);
  return BROKEN;
}

function indented(log: string): string {
  return log
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((line) => `  ${plain(line)}`)
    .join("\n");
}
