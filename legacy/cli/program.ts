import { Argument, Command } from "commander";
import { CONTRACT_ID } from "../contract/operations.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { kitVersion } from "../paths.ts";
import type { Chance } from "./chance.ts";
import { addOptions, type Given, givenOptions, helpText, refuseEmptyArguments } from "./command-line.ts";
import { SCRIPTS, SHELLS, type Shell } from "./completion-scripts.ts";
import { type CommandName, flagOf, WAYS } from "./options.ts";
import type { Output } from "./output.ts";
import { reportError } from "./report-error.ts";
import { type JudgedSide, type RunCommandOptions, type RunEdge, runCommand } from "./run-command.ts";
import { serveCommand } from "./serve-command.ts";
import type { Language } from "./skeletons.ts";
import { chosenTargets, runTargets } from "./targets.ts";
import { UsageError } from "./usage-error.ts";
import type { WatchEdge } from "./watch/watch-command.ts";

/** What the edge of the program gives to it, so that the program can be tested without a process. */
export interface ProgramEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Chance;
  /** Told when a run begins, which a first Ctrl-C ends early; gives how the run asks why to stop. */
  readonly beginRun: () => RunEdge["stopped"];
  /** What else a run is given by the edge. */
  readonly running?: Pick<RunEdge, "interrupt" | "every" | "lastRuns">;
  /** What a watch is given by the edge. */
  readonly watching?: Pick<WatchEdge, "keys" | "clear">;
  /** Settles at the first request to stop. */
  readonly stop: () => Promise<void>;
}

/** No keyboard and no screen. */
const UNWATCHED: NonNullable<ProgramEdge["watching"]> = {
  keys: () => () => undefined,
  clear: () => undefined,
};

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
  addReporting(add, edge);
  addServing(add, edge);
  addExplaining(program, add, output, ended);
  return program;
}

const WAY_FLAGS = WAYS.map(flagOf).join(", ");

/** The commands that judge what runs. */
function addJudging(add: Add, edge: ProgramEdge): void {
  const { output, time, chance, beginRun, running } = edge;
  const runEdge = (): RunEdge => ({ output, time, chance, stopped: beginRun(), ...running });
  add("run", {
    description: `judge an implementation (the default); without any of ${WAY_FLAGS}, the target of launch-draft.config.{ts,mts,js,mjs,json} in this folder, and without such a file the bundled reference`,
    argument: ["[targets...]", "names of targets of the configuration file, judged one after the other"],
    async act({ words: names, options: { config, watch, ...options }, stated }) {
      if (stated.has("restartOn") && !watch) throw new UsageError("--restart-on goes with --watch");
      const given = { ...options, ...statedFlags(stated) };
      const targets = await chosenTargets({
        names,
        options: given,
        stated: new Set([...stated, ...(stated.has("runs") ? ["runsGiven"] : [])]),
        cwd: process.cwd(),
        ...(config === undefined ? {} : { config }),
      });
      if (watch) return watchOne(targets?.map((target) => target.options) ?? [given], edge);
      return targets === undefined ? runCommand(given, runEdge()) : runTargets(targets, runEdge());
    },
  });
  add("merge", {
    description: "make one report of those of all shards of a run, and judge it as one run",
    argument: ["<files...>", "what --reporter json=FILE wrote in each shard"],
    async act({ words: files, options }) {
      const { mergeCommand } = await import("./merge-command.ts");
      return mergeCommand({ ...options, files }, runEdge());
    },
  });
  add("client", {
    description: "judge a client; without --module or --command, the bundled example of one",
    async act({ options: { watch, ...options }, stated }) {
      const { clientCommand, clientSide } = await import("./client-command.ts");
      if (stated.has("restartOn") && !watch) throw new UsageError("--restart-on goes with --watch");
      const given = { ...options, ...statedFlags(stated), maxWaitMs: 0 };
      return watch ? watchOne([given], edge, clientSide(given)) : clientCommand(given, runEdge());
    },
  });
  add("replay", {
    description: "play the vectors of a file, such as a counterexample that --save-failures wrote",
    argument: ["<file>", "a suite of vectors, YAML"],
    act: ({ words: [replay = ""], options }) =>
      runCommand({ ...options, replay, runs: 0, allowUntried: [] }, runEdge()),
  });
}

/** Whether the user states what a run of what failed last time would choose by itself. */
function statedFlags(stated: ReadonlySet<string>) {
  return { runsGiven: stated.has("runs"), seedGiven: stated.has("seed") };
}

async function watchOne(
  [options, ...others]: readonly RunCommandOptions[],
  { output, time, chance, running, watching = UNWATCHED, stop }: ProgramEdge,
  side?: JudgedSide,
): Promise<number> {
  if (options === undefined || others.length > 0) throw new UsageError("--watch takes one target");
  const { watchCommand } = await import("./watch/watch-command.ts");
  const { every = () => () => undefined, ...more } = running ?? {};
  const watchEdge = { output, time, chance, cwd: process.cwd(), every, ...more, ...watching, stop };
  return watchCommand(options, watchEdge, side);
}

/** The commands that read reports. */
function addReporting(add: Add, { output }: ProgramEdge): void {
  add("compare", {
    description:
      "compare implementations: which rules they satisfy, what they choose, where they do not interoperate",
    argument: ["<files...>", "json reports of runs, one of each implementation"],
    async act({ words: files, options }) {
      const { compareCommand } = await import("./compare-command.ts");
      return compareCommand({ ...options, files }, output);
    },
  });
  add("report", {
    description: "write the report of a run again, by any reporter, from what --reporter json=FILE wrote",
    argument: ["<file>", "the json report of a run, of a part of one, or of merge"],
    async act({ words: [file = ""], options }) {
      const { reportCommand } = await import("./report-command.ts");
      return reportCommand({ ...options, file }, output);
    },
  });
}

/** The commands that serve and record. */
function addServing(add: Add, { output, time, chance, stop }: ProgramEdge): void {
  add("serve", {
    description: "serve the bundled reference over HTTP, on this machine only, until SIGTERM or Ctrl-C",
    act({ options }) {
      return serveCommand(options, { output, now: time.now, stop: stop() });
    },
  });
  add("golden", {
    description: `write the exchanges of every flow as fixtures; without any of ${WAY_FLAGS}, the bundled reference's`,
    argument: ["[dir]", "folder of the fixtures; the kit's own vectors/golden for the bundled reference"],
    async act({ words: [directory], options }) {
      const { goldenCommand } = await import("./golden-command.ts");
      const folder = directory === undefined ? {} : { directory };
      return goldenCommand({ ...options, ...folder, jobs: 1 }, { output, time, chance });
    },
  });
  add("init", {
    description: "write the skeleton of an adapter, for a service that is still to be driven, or of a client",
    argument: ["[dir]", "folder to write into; it may be new", "."],
    async act({ words: [directory = "."], options }) {
      const { initCommand, initListCommand } = await import("./init-command.ts");
      const { list, language, client } = options;
      return list
        ? initListCommand(output)
        : initCommand({ directory, language: language as Language, client }, output);
    },
  });
}

/** The commands that tell what there is. */
function addExplaining(program: Command, add: Add, output: Output, ended: (status: number) => void): void {
  add("list", {
    description: "list the vectors, or the rules, the open points, or the properties",
    async act({ options }) {
      const { listCommand } = await import("./list-command.ts");
      return listCommand(options, output);
    },
  });
  program
    .command("explain")
    .description("explain a rule, an open point, a vector, a property or a service of the bank")
    .argument("<id>", "RULE-ID, OPEN-POINT, vector/id, property/name or bank/id")
    .action(async (id: string) => {
      const { explainCommand } = await import("./explain-command.ts");
      ended(explainCommand(id, output));
    });
  program
    .command("completion")
    .description("print the script by which a shell completes this program's commands, options and ids")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .action((shell: Shell) => output.out(SCRIPTS[shell]));
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: readonly string[]) => {
      const { completions, knownValues } = await import("./completion.ts");
      for (const word of await completions(program, words, knownValues(process.cwd())))
        output.out(`${word}\n`);
    });
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
