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
  if (error instanceof AdapterFault) {
    output.err(`the implementation could not be run: ${plain(error.message)}\n`);
    if (error.log !== undefined && error.log !== "")
      output.err(`its standard error:\n${indented(error.log)}\n`);
    return BROKEN;
  }
  throw error;
}

function indented(log: string): string {
  return log
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((line) => `  ${plain(line)}`)
    .join("\n");
}
