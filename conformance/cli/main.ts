import { ImplementationError } from "../adapters/adapter.ts";
import { escapeLine } from "../adapters/text.ts";
import { DataError } from "../contract/data-file.ts";
import { readVersion } from "../contract/openapi.ts";
import type { Edge } from "./edge.ts";
import { helpText, type Invocation, readCommandLine, UsageError } from "./options.ts";
import type { openTarget } from "./target.ts";

/**
 * Runs a command.
 * @param args the words after the name of the program
 * @param openAdapter opens the service that the options name
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
      default:
        return await perform(line, edge, openAdapter);
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

/** Runs a command. Loads only the modules of this one. */
async function perform(line: Invocation, edge: Edge, openAdapter?: typeof openTarget): Promise<number> {
  switch (line.command) {
    case "run":
    case "replay":
      return (await import("./run.ts")).runCommand(line, edge, openAdapter);
    case "merge":
      return (await import("./report.ts")).mergeCommand(line, edge);
    case "list":
      edge.write((await import("./list.ts")).list(line.options));
      return 0;
    case "client":
      return (await import("./client.ts")).clientCommand(line, edge);
    case "audit":
      return (await import("./audit.ts")).auditCommand(line, edge);
    case "explain":
      edge.write((await import("./explain.ts")).explain(line.operands[0] ?? ""));
      return 0;
    case "report":
      return (await import("./report.ts")).reportCommand(line, edge);
    case "compare":
      return (await import("./report.ts")).compareCommand(line, edge);
    case "init":
      return (await import("./init.ts")).initCommand(line, edge);
    case "serve":
      return (await import("./serve.ts")).serveCommand(line.options, edge);
    case "golden":
      return (await import("./golden.ts")).goldenCommand(line, edge, openAdapter);
  }
}
