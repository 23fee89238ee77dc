import { ImplementationError } from "../adapters/adapter.ts";
import { escapeLines } from "../adapters/text.ts";
import { DataError } from "../contract/data-file.ts";
import { readVersion } from "../contract/openapi.ts";
import type { Edge } from "./edge.ts";
import { type Command, helpText, type Invocation, readCommandLine, UsageError } from "./options.ts";

/**
 * Runs a command.
 * @param args the words after the name of the program
 * @returns exit status: 0 conforms, 1 does not conform, 2 usage or data error, 3 implementation error,
 *   4 undecided, 130 interrupted
 */
export async function main(args: readonly string[], edge: Edge): Promise<number> {
  try {
    const line = readCommandLine(args);
    if (line.command === "help") return print(helpText(edge.program, line.of), edge);
    if (line.command === "version") return print(`${readVersion()}\n`, edge);
    return await COMMANDS[line.command](line, edge);
  } catch (error) {
    const isUserFault = error instanceof UsageError || error instanceof DataError;
    if (!isUserFault && !(error instanceof ImplementationError)) throw error;
    edge.writeError(escapeLines(error.message.split("\n")));
    if (edge.interrupted.aborted) return 130;
    return isUserFault ? 2 : 3;
  }
}

type Perform = (line: Invocation, edge: Edge) => Promise<number>;

/** Functions that run the commands. Each loads only the modules that it needs. */
const COMMANDS: Readonly<Record<Command, Perform>> = {
  run: async (line, edge) => (await import("./run.ts")).runCommand(line, edge),
  replay: async (line, edge) => (await import("./run.ts")).runCommand(line, edge),
  client: async (line, edge) => (await import("./client.ts")).clientCommand(line, edge),
  audit: async (line, edge) => (await import("./audit.ts")).auditCommand(line, edge),
  merge: async (line, edge) => (await import("./report.ts")).mergeCommand(line, edge),
  list: async ({ options }, edge) => print((await import("./list.ts")).list(options), edge),
  explain: async ({ operands: [id = ""] }, edge) => print((await import("./explain.ts")).explain(id), edge),
  report: async (line, edge) => (await import("./report.ts")).reportCommand(line, edge),
  compare: async (line, edge) => (await import("./report.ts")).compareCommand(line, edge),
  init: async (line, edge) => (await import("./init.ts")).initCommand(line, edge),
  serve: async ({ options }, edge) => (await import("./serve.ts")).serveCommand(options, edge),
  golden: async (line, edge) => (await import("./golden.ts")).goldenCommand(line, edge),
};

function print(text: string, edge: Edge): number {
  edge.write(text);
  return 0;
}
