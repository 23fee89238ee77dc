import { setTimeout as sleep } from "node:timers/promises";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { AdapterFault } from "./adapters/adapter.ts";
import { helpText } from "./cli/help-text.ts";
import { initCommand, LANGUAGES } from "./cli/init-command.ts";
import { INTERRUPTED, type Output } from "./cli/output.ts";
import { type RunEdge, runCommand } from "./cli/run-command.ts";
import { parsePort, serveCommand } from "./cli/serve-command.ts";
import { watched } from "./cli/standard-output.ts";
import { UsageError } from "./cli/usage-error.ts";
import { DataError } from "./engine/data/data-error.ts";
import { parseShard, type Shard } from "./engine/run/shard.ts";
import { DEFAULT_RUNS, DEFAULT_SEED } from "./engine/search/default-runs.ts";
import { parseDuration } from "./engine/vectors/duration.ts";
import { kitVersion, PATHS } from "./paths.ts";
import { plain } from "./reports/plain-text.ts";

const USAGE = 2;
const BROKEN = 3;

const standardOutput = watched(process.stdout);
const output: Output = {
  out: standardOutput.write,
  err: watched(process.stderr).write,
  lost: standardOutput.lost,
  color: process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
  width: Math.max(60, Math.min(process.stdout.columns ?? 110, 160)),
  live: process.stderr.isTTY === true && process.env["CI"] === undefined,
};
const time = { now: () => Date.now(), sleep: (ms: number) => sleep(ms) };
const interrupt: { reason?: string; judging?: true } = {};

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    const first = interrupt.reason === undefined;
    interrupt.reason = INTERRUPTED;
    if (first && interrupt.judging) {
      output.err(
        "interrupted: what is under way is finished, then reported; once more leaves without a report\n",
      );
    } else if (!first || process.listenerCount(signal) === 1) {
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
  });
}

const program = new Command("launch-draft-conformance")
  .description(
    "Judges implementations of the Offline Launch-Draft Partner Service, contract partner-preview-1.",
  )
  .version(kitVersion())
  .configureHelp({ optionDescription: helpText })
  .exitOverride()
  .showHelpAfterError("(--help shows what there is)")
  .configureOutput({ writeErr: (text) => output.err(text), writeOut: (text) => output.out(text) });

judging(program.command("run"))
  .description(
    "judge an implementation (the default); without --module, --command, --attach or --url, the bundled reference",
  )
  .option("--runs <n>", "random cases that each property tries; 0 for none", wholeNumber, DEFAULT_RUNS)
  .option(
    "--exhaustive <depth>",
    "also try every sequence of so many letters of a small alphabet",
    searchDepth,
  )
  .option("--save-failures <dir>", "write the counterexamples of failed properties as vectors")
  .option("--allow-untried <rule-id...>", "accept that these required rules are not tried", [])
  .option("--baseline <file>", "known failures, YAML: they do not fail the run; stale and expired entries do")
  .option("--update-baseline", "write every failure of this run into the baseline's file")
  .option("--choices <file>", "earlier observed choices, YAML: one that changed fails the run")
  .option("--update-choices", "write the choices that this run observed into the choices' file")
  .option("--suite <name>", "judge by what counted in a release, partner-preview-1@VERSION")
  .option("--shard <i/n>", "do the i-th of n parts of the run; `merge` makes one report of them", shard)
  .action(async ({ timeout: timeoutMs, maxWait: maxWaitMs, ...options }) => {
    process.exitCode = await runCommand({ ...options, timeoutMs, maxWaitMs }, edge());
  });

program
  .command("merge")
  .description("make one report of those of all shards of a run, and judge it as one run")
  .argument("<files...>", "what --reporter json=FILE wrote in each shard")
  .option("--baseline <file>", "known failures, YAML: they do not fail the run; stale and expired entries do")
  .option("--update-baseline", "write every failure of this run into the baseline's file")
  .option("--choices <file>", "earlier observed choices, YAML: one that changed fails the run")
  .option("--update-choices", "write the choices that this run observed into the choices' file")
  .option("--reporter <name[=file]>", "as for run; may be given several times", collect, [])
  .option("--subject <name>", "with --reporter in-toto: what was under test")
  .option("--verbose", "list every observed choice", false)
  .action(async (files: readonly string[], options) => {
    const { mergeCommand } = await import("./cli/merge-command.ts");
    process.exitCode = await mergeCommand({ ...options, files }, edge());
  });

judging(program.command("replay"))
  .description("play the vectors of a file, such as a counterexample that --save-failures wrote")
  .argument("<file>", "a suite of vectors, YAML")
  .action(async (replay: string, { timeout: timeoutMs, maxWait: maxWaitMs, ...options }) => {
    const only = { replay, runs: 0, allowUntried: [] };
    process.exitCode = await runCommand({ ...options, ...only, timeoutMs, maxWaitMs }, edge());
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
    const { compareCommand } = await import("./cli/compare-command.ts");
    process.exitCode = await compareCommand({ ...options, files }, output);
  });

program
  .command("list")
  .description("list the vectors, or the rules, or the open points")
  .option("--rules", "the rules, with how many vectors try each", false)
  .option("--points", "what the contract leaves open, with the reference's choice", false)
  .option("--only <glob...>", "only vectors whose id matches", [])
  .option("--json", "for programs", false)
  .action(async (options) => {
    const { listCommand } = await import("./cli/list-command.ts");
    process.exitCode = listCommand(options, output);
  });

program
  .command("explain")
  .description("what a rule, an open point or a vector is about")
  .argument("<id>", "RULE-ID, OPEN-POINT or vector/id")
  .action(async (id: string) => {
    const { explainCommand } = await import("./cli/explain-command.ts");
    process.exitCode = explainCommand(id, output);
  });

program
  .command("serve")
  .description(
    "serve the bundled reference, or recorded answers, over HTTP, on this machine only, until SIGTERM or Ctrl-C",
  )
  .option("--port <n>", "0 for any free port", parsePort, 0)
  .option("--host <address>", "a loopback address", "127.0.0.1")
  .option("--control", "a test clock, and the adapter protocol's messages at /control", false)
  .option("--capacity <n>", "most challenges, sessions and drafts held at once", wholeNumber)
  .option("--golden [dir]", "answer from golden fixtures, the kit's own unless told")
  .action(async ({ golden, ...options }) => {
    const folder = golden === true ? { golden: PATHS.golden } : golden === undefined ? {} : { golden };
    process.exitCode = await serveCommand(
      { ...options, ...folder },
      { output, now: time.now, stop: stopSignal() },
    );
  });

reaching(program.command("golden"))
  .description(
    "write the exchanges of every flow as fixtures; without --module, --command, --attach or --url, the bundled reference's",
  )
  .argument("[dir]", "folder of the fixtures; the kit's own vectors/golden for the bundled reference")
  .option(
    "--check",
    "say what drifted, one line a file; another implementation has the fixtures replayed",
    false,
  )
  .option("--har <file>", "write the folder's fixtures as HAR 1.2")
  .option("--verbose", "with --check: list every answer that differs as the contract allows", false)
  .action(async (directory: string | undefined, { timeout: timeoutMs, ...options }) => {
    const { goldenCommand } = await import("./cli/golden-command.ts");
    const given = { ...options, ...(directory === undefined ? {} : { directory }), jobs: 1, timeoutMs };
    process.exitCode = await goldenCommand(given, { output, time });
  });

program
  .command("init")
  .description("write the skeleton of an adapter, for a service that is still to be driven")
  .argument("[dir]", "folder to write into; it may be new", ".")
  .addOption(new Option("--language <name>", "language of the skeleton").choices(LANGUAGES).default("ts"))
  .action((directory: string, { language }) => {
    process.exitCode = initCommand({ directory, language }, output);
  });

await main();

/** The options of every command that drives an implementation. */
function reaching(command: Command) {
  return command
    .option("--module <file>", "a JavaScript or TypeScript module that exports createService")
    .option("--command <cmd>", "a command that speaks the adapter protocol on standard input and output")
    .option(
      "--attach <host:port>",
      "a process on this machine that speaks the adapter protocol over a socket",
    )
    .option("--url <url>", "a running service, by the contract's HTTP mapping")
    .option("--control-url <url>", "with --url: where the adapter protocol's other messages are posted")
    .option("--facts <file>", "with --url: the adapter protocol's facts, as YAML or JSON")
    .option("--metadata-hosts <host...>", "with --url: the two metadata gateway hosts")
    .option("--ca-file <file>", "with --url: certificates to trust, PEM")
    .option("--allow-self-signed", "with --url: trust any certificate of this machine")
    .addOption(inTime("--timeout <duration>", "time limit for one call; 0 for none").default(5000, "5s"));
}

/** The options of every command that judges an implementation. */
function judging(command: Command) {
  return reaching(command)
    .option("--only <glob...>", "only vectors and properties whose id matches", [])
    .option("--seed <n>", "seed of all key pairs and random cases", wholeNumber, DEFAULT_SEED)
    .option("--bail", "stop at the first failure", false)
    .option(
      "--jobs <n>",
      "processes or threads side by side, with --command or --module: 1 unless told (the bundled reference: one for each core)",
      wholeNumber,
    )
    .addOption(inTime("--max-wait <duration>", "longest wait on a real clock").default(90_000, "90s"))
    .option(
      "--reporter <name[=file]>",
      "console, json, junit, tap, spec, dot, html, github, badge, in-toto, or any reporter for node:test (a package, or a ./file); may be given several times",
      collect,
      [],
    )
    .option("--subject <file>", "what is under test, a file or NAME@sha256:HEX, for --reporter in-toto")
    .option("--verbose", "list every observed choice", false);
}

function edge(): RunEdge {
  interrupt.judging = true;
  return { output, time, stopped: () => interrupt.reason };
}

async function main(): Promise<void> {
  try {
    await program.parseAsync(withDefault(process.argv.slice(2)), { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
  }
  await output.lost?.();
  // What a reporter's package leaves running must not keep the program.
  setTimeout(() => process.exit(), 1_000).unref();
}

/** `run` is what is meant where the command line begins with an option, or is empty. */
function withDefault(words: readonly string[]): readonly string[] {
  const first = words[0];
  const general = ["--help", "-h", "--version", "-V"];
  return first === undefined || (first.startsWith("-") && !general.includes(first))
    ? ["run", ...words]
    : words;
}

/** One line for everything that can go wrong by what the user gave; the kit's own faults keep their stack. */
function report(error: unknown): number {
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

/** Settles at the first request to stop. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function indented(log: string): string {
  return log
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((line) => `  ${plain(line)}`)
    .join("\n");
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number is wanted.");
  return Number(text);
}

function shard(text: string): Shard {
  const parsed = parseShard(text);
  if (parsed === undefined) throw new InvalidArgumentError("I/N is wanted, I from 1 to N: such as 2/3.");
  return parsed;
}

function searchDepth(text: string): number {
  if (!/^[1-9]$/.test(text)) throw new InvalidArgumentError("a depth from 1 to 9 is wanted.");
  return Number(text);
}

function inTime(flags: string, description: string): Option {
  return new Option(flags, description).argParser(duration);
}

function duration(text: string): number {
  const ms = text === "0" ? 0 : parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError("a duration is wanted, such as 500ms, 90s or 1h.");
  return ms;
}
