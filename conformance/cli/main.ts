import { ImplementationError, InternalError } from "../adapters/adapter.ts";
import { DataError } from "../data/data-file.ts";
import { readVersion } from "../data/kit-files.ts";
import { escapeLines } from "../data/text.ts";
import type { Edge } from "./edge.ts";
import {
  type Command,
  type CommandLine,
  helpText,
  type Invocation,
  readCommandLine,
  UsageError,
} from "./options.ts";

/**
 * Runs a command.
 * @param args the words after the name of the program
 * @returns exit status: 0 conforms, 1 does not conform, 2 usage or data error, 3 implementation error,
 *   4 undecided, 70 internal error, 130 interrupted
 */
export async function main(args: readonly string[], edge: Edge): Promise<number> {
  try {
    const line = readCommandLine(args);
    const status = await perform(line, edge);
    return status === 0 && PRINTING.has(line.command) && (await edge.isOutputLost()) ? 2 : status;
  } catch (thrown) {
    const isUserFault = thrown instanceof UsageError || thrown instanceof DataError;
    const error = isUserFault || thrown instanceof ImplementationError ? thrown : InternalError.from(thrown);
    const { log = [] } = error instanceof ImplementationError ? error.details : {};
    edge.writeError(escapeLines([...error.message.split("\n"), ...log.map((line) => `  ${line}`)]));
    // The command line may be invalid, so only its words say whether annotations are wanted.
    if (args.some((word) => /^(?:--reporter=)?github$/.test(word))) {
      const { printErrors } = await import("../report/github.ts");
      edge.write(printErrors(error.message, { repository: edge.env["GITHUB_WORKSPACE"] }));
    }
    if (isUserFault) return 2;
    return error instanceof ImplementationError ? 3 : 70;
  }
}

/** Commands whose only result is their output. */
const PRINTING: ReadonlySet<CommandLine["command"]> = new Set([
  "help",
  "version",
  "list",
  "explain",
  "report",
  "compare",
] as const);

async function perform(line: CommandLine, edge: Edge): Promise<number> {
  if (line.command === "help") return print(helpText(edge.program, line.of), edge);
  if (line.command === "version") return print(`${readVersion()}\n`, edge);
  return COMMANDS[line.command](line, edge);
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
