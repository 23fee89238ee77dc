import { Argument, Command, Option } from "commander";
import { CONTRACT_ID } from "../contract/operations.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { DEFAULT_DEPTH, DEFAULT_RUNS } from "../engine/search/default-runs.ts";
import { kitVersion, PATHS } from "../paths.ts";
import { suiteName } from "../policies/releases/suite-name.ts";
import type { Chance } from "./chance.ts";
import { judgingClients } from "./client-options.ts";
import { SCRIPTS, SHELLS, type Shell } from "./completion/scripts.ts";
import { chosenTargets } from "./config/chosen-targets.ts";
import { runTargets } from "./config/run-targets.ts";
import { helpText } from "./help-text.ts";
import { holding, judging, reaching } from "./implementation-options.ts";
import { initCommand, initListCommand } from "./init-command.ts";
import { baseUrl, collect, duration, refuseEmpty, searchDepth, shard, wholeNumber } from "./option-values.ts";
import type { Output } from "./output.ts";
import { reportError } from "./report-error.ts";
import { type JudgedSide, type RunCommandOptions, type RunEdge, runCommand } from "./run-command.ts";
import { WAYS } from "./select-adapter.ts";
import { parsePort, serveCommand } from "./serve-command.ts";
import { LANGUAGES } from "./skeletons.ts";
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

/** Nobody presses a key, and nothing is a screen. */
const UNWATCHED: NonNullable<ProgramEdge["watching"]> = {
  keys: () => () => undefined,
  clear: () => undefined,
};

const WAY_OPTIONS = WAYS.map((way) => `--${way}`).join(", ");

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

/** The commands; each says with which status it ended. */
function programOf(
  { output, time, chance, beginRun, running, watching = UNWATCHED, stop }: ProgramEdge,
  ended: (status: number) => void,
): Command {
  const runEdge = (): RunEdge => ({ output, time, chance, stopped: beginRun(), ...running });
  const watchOne = async (
    [options, ...others]: readonly RunCommandOptions[],
    side?: JudgedSide,
  ): Promise<number> => {
    if (options === undefined || others.length > 0) throw new UsageError("--watch takes one target");
    const { watchCommand } = await import("./watch/watch-command.ts");
    const { every = () => () => undefined, ...more } = running ?? {};
    const watchEdge = { output, time, chance, cwd: process.cwd(), every, ...more, ...watching, stop };
    return watchCommand(options, watchEdge, side);
  };
  const program = new Command("launch-draft-conformance")
    .description(
      `Judges implementations of the Offline Launch-Draft Partner Service, contract ${CONTRACT_ID}.`,
    )
    .version(versionText())
    .configureHelp({ optionDescription: helpText })
    .exitOverride()
    .showHelpAfterError("(--help shows what there is)")
    .configureOutput({ writeErr: output.err, writeOut: output.out })
    .hook("preAction", (_, command) => {
      // What is to be completed may be empty as yet.
      if (command.name() !== "complete") refuseEmpty(command);
    });

  holding(judging(program.command("run")))
    .description(
      `judge an implementation (the default); without any of ${WAY_OPTIONS}, the target of launch-draft.config.{ts,mts,js,mjs,json} in this folder, and without such a file the bundled reference`,
    )
    .argument(
      "[targets...]",
      "names of targets of the configuration file; several are judged one after the other",
    )
    .option("--config <file>", "the configuration file, where it is another")
    .option("--runs <n>", "random cases that each property tries; 0 for none", wholeNumber, DEFAULT_RUNS)
    .option(
      "--exhaustive <depth>",
      `try every sequence of so many commands of a small set; 0 for none (default: ${DEFAULT_DEPTH})`,
      searchDepth,
    )
    .option(
      "--failed [report]",
      "only what failed or was an error last time: in the run that is remembered, or in a json report",
    )
    .option(
      "--watch",
      "judge again at each save, first what failed last time: a module's files, or those of --restart-on",
    )
    .option("--restart-on <glob...>", "with --watch: files at whose change to judge again")
    .option("--save-failures <dir>", "write the counterexamples of failed properties as vectors")
    .option(
      "--record <file>",
      "keep all that is sent and answered, for `audit`: HAR 1.2 in a file named .har, JSON lines in any other",
    )
    .option("--suite <name>", `judge by what counted in a release, ${CONTRACT_ID}@VERSION`)
    .option("--shard <i/n>", "do the i-th of n parts of the run; `merge` makes one report of them", shard)
    .action(async (names: readonly string[], { config, watch, ...options }, command: Command) => {
      const told = toldBy(command);
      if (told.has("restartOn") && !watch) throw new UsageError("--restart-on goes with --watch");
      const given = runOptions(options, told);
      const targets = await chosenTargets({
        names,
        options: given,
        told,
        cwd: process.cwd(),
        ...(config === undefined ? {} : { config }),
      });
      if (told.has("record") && (targets?.length ?? 1) > 1)
        throw new UsageError("--record takes one target: a recording is of one service");
      if (watch) ended(await watchOne(targets?.map((target) => target.options) ?? [given]));
      else
        ended(await (targets === undefined ? runCommand(given, runEdge()) : runTargets(targets, runEdge())));
    });

  program
    .command("merge")
    .description("make one report of those of all shards of a run, and judge it as one run")
    .argument("<files...>", "what --reporter json=FILE wrote in each shard")
    .option(
      "--baseline <file>",
      "known failures, YAML: they do not fail the run; stale and expired entries do",
    )
    .option("--update-baseline", "write every failure of this run into the baseline's file")
    .option("--choices <file>", "earlier observed choices, YAML: one that changed fails the run")
    .option("--update-choices", "write the choices that this run observed into the choices' file")
    .option("--reporter <name[=file]>", "as for run; may be given several times", collect, [])
    .option("--subject <name>", "with --reporter in-toto: what was under test")
    .option("--verbose", "everything: each choice, each test that was skipped or failed alike", false)
    .action(async (files: readonly string[], options) => {
      const { mergeCommand } = await import("./merge-command.ts");
      ended(await mergeCommand({ ...options, files }, runEdge()));
    });

  judgingClients(program.command("client"))
    .description("judge a client; without --module or --command, the bundled example of one")
    .action(async ({ timeout: timeoutMs, watch, ...options }, command: Command) => {
      const { clientCommand, clientSide } = await import("./client-command.ts");
      const told = toldBy(command);
      if (told.has("restartOn") && !watch) throw new UsageError("--restart-on goes with --watch");
      const given = { ...options, seedGiven: told.has("seedGiven"), timeoutMs, maxWaitMs: 0 };
      ended(await (watch ? watchOne([given], clientSide(given)) : clientCommand(given, runEdge())));
    });

  judging(program.command("replay"))
    .description("play the vectors of a file, such as a counterexample that --save-failures wrote")
    .argument("<file>", "a suite of vectors, YAML")
    .action(async (replay: string, { timeout: timeoutMs, maxWait: maxWaitMs, ...options }) => {
      const only = { replay, runs: 0, allowUntried: [] };
      ended(await runCommand({ ...options, ...only, timeoutMs, maxWaitMs }, runEdge()));
    });

  program
    .command("compare")
    .description(
      "put implementations side by side: what they keep, what they choose, where they do not interoperate",
    )
    .argument("<files...>", "json reports of runs, one of each implementation")
    .option("--reporter <name[=file]>", "console, json, html; may be given several times", collect, [])
    .option("--verbose", "list every open point that is read differently", false)
    .action(async (files: readonly string[], options) => {
      const { compareCommand } = await import("./compare-command.ts");
      ended(await compareCommand({ ...options, files }, output));
    });

  program
    .command("audit")
    .description("judge recorded traffic of one service: HAR 1.2 files, or exchanges in JSON lines")
    .argument("<files...>", "recordings, in any order")
    .option("--facts <file>", "the adapter protocol's facts, as far as they are known, as YAML or JSON")
    .option("--metadata-hosts <host...>", "the two metadata gateway hosts")
    .option("--base-url <url>", "in a HAR: what stands before the path of each request", baseUrl)
    .addOption(
      new Option("--clock-doubt <duration>", "how far the clocks of those who recorded may be apart")
        .argParser(duration)
        .default(0, "0"),
    )
    .option("--save-failures <dir>", "write findings as vectors, with key pairs of the kit")
    .option(
      "--baseline <file>",
      "known failures, YAML: they do not fail the audit; stale and expired entries do",
    )
    .option("--update-baseline", "write every finding into the baseline's file")
    .option("--choices <file>", "earlier observed choices, YAML: one that changed fails the audit")
    .option("--update-choices", "write the choices that were observed into the choices' file")
    .option("--clients", "judge what clients sent, too, by the clients' rules, in a report of its own", false)
    .option("--client-reporter <name[=file]>", "with --clients: as --reporter, for that report", collect, [])
    .option("--reporter <name[=file]>", "as for run; may be given several times", collect, [])
    .option("--verbose", "everything: each choice, and each finding that is like another", false)
    .action(async (files: readonly string[], { clockDoubt: clockDoubtMs, ...options }) => {
      const { auditCommand } = await import("./audit-command.ts");
      ended(await auditCommand({ ...options, files, clockDoubtMs }, { output, time }));
    });

  program
    .command("report")
    .description("write the report of a run anew, by any reporter, from what --reporter json=FILE wrote")
    .argument("<file>", "the json report of a run, of a part of one, or of merge")
    .option("--reporter <name[=file]>", "as for run; may be given several times", collect, [])
    .option("--subject <name>", "with --reporter in-toto: what was under test")
    .option("--verbose", "everything: each choice, each test that was skipped or failed alike", false)
    .option("--exit-status", "end as the run did; else with 0, once all is written", false)
    .action(async (file: string, options) => {
      const { reportCommand } = await import("./report-command.ts");
      ended(await reportCommand({ ...options, file }, output));
    });

  program
    .command("list")
    .description("list the vectors, or the rules, the open points, or the properties")
    .option("--rules", "the rules, with how many vectors try each", false)
    .option("--points", "what the contract leaves open, with the reference's choice", false)
    .option("--properties", "what is searched for, with how many cases a usual run tries", false)
    .option("--clients", "those for clients, rather than for services", false)
    .option("--only <glob...>", "only vectors whose id matches", [])
    .option("--json", "for programs", false)
    .action(async (options) => {
      const { listCommand } = await import("./list-command.ts");
      ended(await listCommand(options, output));
    });

  program
    .command("explain")
    .description("what a rule, an open point, a vector, a property or a service of the bank is about")
    .argument("<id>", "RULE-ID, OPEN-POINT, vector/id, property/name or bank/id")
    .action(async (id: string) => {
      const { explainCommand } = await import("./explain-command.ts");
      ended(explainCommand(id, output));
    });

  program
    .command("serve")
    .description(
      "serve the bundled reference, or recorded answers, over HTTP, on this machine only, until SIGTERM or Ctrl-C",
    )
    .option("--port <n>", "0 for any free port", parsePort, 0)
    .option("--host <address>", "a loopback address", "127.0.0.1")
    .option("--control", "a test clock, and the adapter protocol's messages at /control", false)
    .option(
      "--capacity <n>",
      "most challenges, sessions and drafts held at once (20000; with --control, few)",
      wholeNumber,
    )
    .option("--golden [dir]", "answer from golden fixtures, the kit's own unless told")
    .action(async ({ golden, ...options }) => {
      const folder = golden === true ? { golden: PATHS.golden } : golden === undefined ? {} : { golden };
      ended(await serveCommand({ ...options, ...folder }, { output, now: time.now, stop: stop() }));
    });

  program
    .command("proxy")
    .description("pass requests on to a running service, as they are, and judge what passes, until Ctrl-C")
    .requiredOption("--url <url>", "the service")
    .option("--port <n>", "where the proxy listens; 0 for any free port", parsePort, 0)
    .option("--host <address>", "the address that it listens on", "127.0.0.1")
    .option("--keep-host", "tell the service the Host that the client asked for, in place of its own", false)
    .option("--record <file>", "keep what passes: HAR 1.2 in a file named .har, JSON lines in any other")
    .option(
      "--show-secrets",
      "write bearers, signatures and cookies as they are, in the recording and in reports",
      false,
    )
    .option("--facts <file>", "the adapter protocol's facts, as far as they are known, as YAML or JSON")
    .option("--metadata-hosts <host...>", "the two metadata gateway hosts")
    .option("--ca-file <file>", "certificates to trust, PEM")
    .option("--allow-self-signed", "trust any certificate of this machine")
    .option("--save-failures <dir>", "write findings as vectors that can be replayed")
    .option("--clients", "judge what clients send, too, by the clients' rules, in a report of its own", false)
    .option("--client-reporter <name[=file]>", "with --clients: as --reporter, for that report", collect, [])
    .option("--baseline <file>", "known failures, YAML: they do not fail it; stale and expired entries do")
    .option("--update-baseline", "write every finding into the baseline's file")
    .option("--choices <file>", "earlier observed choices, YAML: one that changed fails it")
    .option("--update-choices", "write the choices that were observed into the choices' file")
    .option("--reporter <name[=file]>", "as for run; may be given several times", collect, [])
    .option("--verbose", "everything: each choice, and each finding that is like another", false)
    .action(async (options) => {
      const { proxyCommand } = await import("./proxy-command.ts");
      const { every = () => () => undefined } = running ?? {};
      ended(await proxyCommand(options, { output, time, chance, stop: stop(), every }));
    });

  reaching(program.command("golden"))
    .description(
      `write the exchanges of every flow as fixtures; without any of ${WAY_OPTIONS}, the bundled reference's`,
    )
    .argument("[dir]", "folder of the fixtures; the kit's own vectors/golden for the bundled reference")
    .option(
      "--check",
      "say what drifted, one line a file; another implementation has the fixtures replayed",
      false,
    )
    .option("--har <file>", "write the folder's fixtures as HAR 1.2, all in one file")
    .option("--har-dir <dir>", "write them as HAR 1.2, a file for each fixture")
    .option("--base-url <url>", "with --har or --har-dir: the address that their requests go to", baseUrl)
    .option("--verbose", "with --check: list every answer that differs as the contract allows", false)
    .action(async (directory: string | undefined, { timeout: timeoutMs, ...options }) => {
      const { goldenCommand } = await import("./golden-command.ts");
      const given = { ...options, ...(directory === undefined ? {} : { directory }), jobs: 1, timeoutMs };
      ended(await goldenCommand(given, { output, time, chance }));
    });

  program
    .command("init")
    .description("write the skeleton of an adapter, for a service that is still to be driven, or of a client")
    .argument("[dir]", "folder to write into; it may be new", ".")
    .addOption(languageOption())
    .option("--client", "of a client: in typescript or python; other for the protocol", false)
    .option("--list", "list the languages, and what each needs", false)
    .action((directory: string, { language, client, list }) => {
      ended(list ? initListCommand(output) : initCommand({ directory, language, client }, output));
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
      const { completions } = await import("./completion/completions.ts");
      const { knownValues } = await import("./completion/known-values.ts");
      for (const word of await completions(program, words, knownValues(process.cwd())))
        output.out(`${word}\n`);
    });
  return program;
}

/** Options of which a run wants to know whether they were given. */
const GIVEN: Readonly<Record<string, string>> = { runs: "runsGiven", seed: "seedGiven" };

/** Names of the options that the command line gives, as the run has them. */
function toldBy(command: Command): ReadonlySet<string> {
  const names = command.options.map((option) => option.attributeName());
  const told = names.filter((name) => command.getOptionValueSource(name) === "cli");
  const inRun: Readonly<Record<string, string>> = { timeout: "timeoutMs", maxWait: "maxWaitMs" };
  return new Set(told.flatMap((name) => [inRun[name] ?? name, GIVEN[name] ?? []].flat()));
}

/** The options of `run` as the run takes them. */
function runOptions(
  { timeout, maxWait, ...options }: Omit<RunCommandOptions, "timeoutMs" | "maxWaitMs"> & Timed,
  told: ReadonlySet<string>,
): RunCommandOptions {
  const given = { runsGiven: told.has("runs"), seedGiven: told.has("seed") };
  return { ...options, ...given, timeoutMs: timeout, maxWaitMs: maxWait };
}

/** Times in ms, by the names of their options. */
interface Timed {
  readonly timeout: number;
  readonly maxWait: number;
}

/** The option of `init`, which takes a name as people write it: Go, PHP, C#. */
function languageOption(): Option {
  const option = new Option("--language <name>", "language of the skeleton").choices(LANGUAGES);
  const { parseArg: known } = option;
  return option
    .argParser((name, previous) => known?.(name.toLowerCase(), previous) ?? name)
    .default("typescript");
}

/** The versions of the kit, of the contract that it judges by, and of the set of vectors that it plays unless told. */
function versionText(): string {
  const version = kitVersion();
  return `launch-draft-conformance ${version}\ncontract ${CONTRACT_ID}\nsuite ${suiteName(CONTRACT_ID, version)}`;
}

/** `run` is what is meant where the command line begins with an option, or is empty. */
function withDefault(words: readonly string[]): readonly string[] {
  const first = words[0];
  const general = ["--help", "-h", "--version", "-V"];
  return first === undefined || (first.startsWith("-") && !general.includes(first))
    ? ["run", ...words]
    : words;
}
