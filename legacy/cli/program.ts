import { Command } from "commander";
import { CONTRACT_ID } from "../contract/operations.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { kitVersion } from "../paths.ts";
import type { Chance } from "./chance.ts";
import { addOptions, type Given, givenOptions, helpText, refuseEmptyArguments } from "./command-line.ts";
import type { CommandName } from "./options.ts";
import type { Output } from "./output.ts";
import { reportError } from "./report-error.ts";
import type { RunEdge } from "./run-command.ts";

/** What the edge of the program gives to it, so that the program can be tested without a process. */
export interface ProgramEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Chance;
  /** Told when a run begins, which a first Ctrl-C ends early; gives how the run asks why to stop. */
  readonly beginRun: () => RunEdge["stopped"];
  /** What else a run is given by the edge. */
  readonly running?: Pick<RunEdge, "interrupt" | "every" | "lastRuns">;
  /** Settles at the first request to stop. */
  readonly stop: () => Promise<void>;
}

/** Does what the words of a command line ask for, and gives the exit status. */
export async function main(words: readonly string[], edge: ProgramEdge): Promise<number> {
  let status = 0;
  const program = programOf(edge, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync(withDefault(words), { from: "user" });
  } catch (error) {
    return reportError(error, edge.output);
  }
  return status;
}

/** What a command is given: its arguments, and its options. */
interface Call<Name extends CommandName> extends Given<Name> {
  readonly words: readonly string[];
}

/** What a command is. */
interface CommandEntry<Name extends CommandName> {
  readonly description: string;
  /** Name, meaning and default of its argument: `[dir]`. */
  readonly argument?: readonly [name: string, help: string, usual?: string];
  /** Does it. @returns the exit status */
  readonly act: (call: Call<Name>) => Promise<number> | number;
}

/** Declares a command with the options of the table. */
type Add = <Name extends CommandName>(name: Name, entry: CommandEntry<Name>) => void;

/** The commands; each says with which status it ended. */
function programOf(edge: ProgramEdge, ended: (status: number) => void): Command {
  const { output } = edge;
  const program = new Command("launch-draft-conformance")
    .description(
      `Judges implementations of the Offline Launch-Draft Partner Service, contract ${CONTRACT_ID}.`,
    )
    .version(versionText())
    .configureHelp({ optionDescription: helpText })
    .exitOverride()
    .showHelpAfterError("(--help lists the commands and options)")
    .configureOutput({ writeErr: output.err, writeOut: output.out })
    .hook("preAction", (_, command) => {
      // The word to complete may still be empty.
      if (command.name() !== "complete") refuseEmptyArguments(command);
    });
  const add: Add = (name, { description, argument, act }) => {
    const command = addOptions(program.command(name).description(description), name);
    if (argument !== undefined) command.argument(...argument);
    command.action(async () => {
      const words = command.processedArgs.flat().filter((word): word is string => word !== undefined);
      ended(await act({ ...givenOptions(command), words }));
    });
  };
  addJudging(add, edge);
  return program;
}

/** The commands that judge what runs. */
function addJudging(add: Add, edge: ProgramEdge): void {
  const { output, time, chance, beginRun, running } = edge;
  const runEdge = (): RunEdge => ({ output, time, chance, stopped: beginRun(), ...running });
  add("client", {
    description: "judge a client; without --module or --command, the bundled example of one",
    async act({ options: { watch: _, ...options }, stated }) {
      const { clientCommand } = await import("./client-command.ts");
      return clientCommand({ ...options, ...statedFlags(stated), maxWaitMs: 0 }, runEdge());
    },
  });
}

/** Whether the user states what a run of what failed last time would choose by itself. */
function statedFlags(stated: ReadonlySet<string>) {
  return { runsGiven: stated.has("runs"), seedGiven: stated.has("seed") };
}

/** The versions of the kit, and of the contract that it judges by. */
function versionText(): string {
  return `launch-draft-conformance ${kitVersion()}\ncontract ${CONTRACT_ID}`;
}

/** `run` is what is meant where the command line begins with an option, or is empty. */
function withDefault(words: readonly string[]): readonly string[] {
  const first = words[0];
  const general = ["--help", "-h", "--version", "-V"];
  return first === undefined || (first.startsWith("-") && !general.includes(first))
    ? ["run", ...words]
    : words;
}
