import { ImplementationError } from "../adapters/adapter.ts";
import { escapeLine } from "../adapters/text.ts";
import { DataError } from "../contract/data-file.ts";
import { readVersion } from "../report/version.ts";
import { auditCommand } from "./audit.ts";
import type { Edge } from "./edge.ts";
import { explain } from "./explain.ts";
import { goldenCommand } from "./golden.ts";
import { initCommand } from "./init.ts";
import { list } from "./list.ts";
import { helpText, readCommandLine, UsageError } from "./options.ts";
import { compareCommand, mergeCommand, reportCommand } from "./report.ts";
import { runCommand } from "./run.ts";
import { serveCommand } from "./serve.ts";
import { openTarget } from "./target.ts";

/**
 * Runs a command.
 * @param args the words after the name of the program
 * @param openAdapter opens the service that the options of `run` name (default: as they say)
 * @returns exit status: 0 conforms, 1 does not conform, 2 usage or data error, 3 implementation error,
 *   4 undecided, 130 interrupted
 */
export async function main(args: readonly string[], edge: Edge, openAdapter = openTarget): Promise<number> {
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
      case "explain":
        edge.write(explain(line.operands[0] ?? ""));
        return 0;
      case "audit":
        return await auditCommand(line, edge);
      case "report":
        return reportCommand(line, edge);
      case "merge":
        return mergeCommand(line, edge);
      case "compare":
        return compareCommand(line, edge);
      case "init":
        return initCommand(line, edge);
      case "serve":
        return await serveCommand(line.options, edge);
      case "golden":
        return await goldenCommand(line, edge, openAdapter);
      case "run":
      case "replay":
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
