import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ImplementationError } from "../adapters/adapter.ts";
import { escapeLine } from "../adapters/text.ts";
import { DataError } from "../contract/data-file.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { clientCommand } from "./client.ts";
import type { Edge } from "./edge.ts";
import { list } from "./list.ts";
import { helpText, readCommandLine, UsageError } from "./options.ts";
import { runCommand } from "./run.ts";
import type { openTarget } from "./target.ts";

/**
 * Runs a command.
 * @param args the words after the name of the program
 * @param openAdapter opens the service that the options of `run` name (default: as they say)
 * @returns exit status: 0 conforms, 1 does not conform, 2 usage or data error, 3 implementation error,
 *   4 undecided, 130 interrupted
 */
export async function main(
  args: readonly string[],
  edge: Edge,
  openAdapter?: typeof openTarget,
): Promise<number> {
  try {
    const line = readCommandLine(args);
    switch (line.command) {
      case "help":
        edge.write(helpText(edge.program, line.of));
        return 0;
      case "version":
        edge.write(`${readVersion()}\n`);
        return 0;
      case "list":
        edge.write(list(line.options));
        return 0;
      case "client":
        return await clientCommand(line, readVersion(), edge);
      case "run":
        return await runCommand(line, readVersion(), edge, openAdapter);
    }
  } catch (error) {
    const isUserFault = error instanceof UsageError || error instanceof DataError;
    if (!isUserFault && !(error instanceof ImplementationError)) throw error;
    const lines = error.message.split("\n").map(escapeLine);
    edge.writeError(`${lines.join("\n")}\n`);
    if (edge.interrupted.aborted) return 130;
    return isUserFault ? 2 : 3;
  }
}

/** Returns the version of the kit. */
function readVersion(): string {
  return JSON.parse(readFileSync(join(DATA_FOLDER, "..", "package.json"), "utf8")).version;
}
