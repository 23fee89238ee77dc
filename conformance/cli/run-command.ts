import { availableParallelism } from "node:os";
import { AdapterFault } from "../adapters/adapter.ts";
import { type KitData, loadKitData, loadReplayData } from "../contract/kit-data.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import { Activity } from "../engine/run/activity.ts";
import { type RunOptions, runOutcome } from "../engine/run/run.ts";
import type { RunThreads } from "../engine/run/run-threads.ts";
import type { Salt } from "../engine/run/salt.ts";
import type { Shard } from "../engine/run/shard.ts";
import { DEFAULT_DEPTH, REMOTE_BUDGET, SEARCH_REQUESTS } from "../engine/search/default-runs.ts";
import { kitVersion } from "../paths.ts";
import { type GatedReport, type Gates, gatedReport } from "../policies/gated-report.ts";
import { acceptedNames } from "./accepted-names.ts";
import type { Chance } from "./chance.ts";
import type { GatesOptions } from "./gates.ts";
import { INTERRUPTED, type Output } from "./output.ts";
import { Progress, TICK_MS } from "./progress.ts";
import { reportContext } from "./report-context.ts";
import { loadReporters, type Reporter } from "./reporters.ts";
import { saveFailures } from "./save-failures.ts";
import { type AdapterOptions, selectAdapter } from "./select-adapter.ts";
import type { SubjectOptions } from "./subject.ts";
import { UsageError } from "./usage-error.ts";
import { writeReports } from "./write-reports.ts";

export interface RunCommandOptions extends Omit<AdapterOptions, "jobs">, SubjectOptions, GatesOptions {
  /** Processes or threads side by side; undefined leaves it to the kit. */
  readonly jobs?: number;
  readonly only: readonly string[];
  readonly seed: number | "random";
  /** Sets the people of this run apart from those of others; drawn unless told, where a service may remember them. */
  readonly salt?: string;
  readonly bail: boolean;
  readonly runs: number;
  /** Whether the user has asked for so many, rather than for a usual run. */
  readonly runsGiven?: boolean;
  /** Length of the sequences of the exhaustive search, where the user names one; 0 for no search. */
  readonly exhaustive?: number;
  readonly maxWaitMs: number;
  readonly reporter: readonly string[];
  readonly allowUntried: readonly string[];
  readonly verbose: boolean;
  /** Folder into which the shrunk counterexamples of failed properties are written. */
  readonly saveFailures?: string;
  /** A file of vectors to play in place of the kit's own: nothing else is tried, and no verdict is given. */
  readonly replay?: string;
  /** Which part of the run to do, where several share it. */
  readonly shard?: Shard;
}

/** What the edge of the program gives to a run. */
export interface RunEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Chance;
  /** Why to stop early, once there is a reason (Ctrl-C). */
  readonly stopped: () => string | undefined;
  /** How the user ends it at once, and waits with it. */
  readonly interrupt?: Interrupt;
  /** Calls back every so many ms, and gives how to end that. */
  readonly every?: (ms: number, tick: () => void) => () => void;
}

/** How a user ends a run early (Ctrl-C). */
export interface Interrupt {
  /** Aborted at the first request to stop; the reason is why what is left is not run. */
  readonly signal: AbortSignal;
  /** The exit status of a run that was ended so with nothing against the service. */
  readonly status: () => number;
}

/** Exit status of a run with nothing against the service whose report was lost. */
const UNWRITTEN = 2;
/** Exit status of a run that was cut short, where no signal has one of its own. */
const UNDECIDED = 4;

/** What each thread runs; plain JavaScript, since Node 20 applies no TypeScript loader to the entry of a thread. */
const THREAD_ENTRY = new URL("./run-thread-entry.mjs", import.meta.url);

/** More threads than this have each too little to do. */
const MOST_THREADS = 8;

/** `run` and `replay`: judges an implementation and gives the exit status. */
export async function runCommand(given: RunCommandOptions, edge: RunEdge): Promise<number> {
  const options = drawn(given, edge.chance);
  const reporters = await loadReporters(options.reporter, options);
  checkShard(options);
  const threads = await startThreads(options);
  try {
    return await judge(options, edge, reporters, threads);
  } catch (error) {
    // Without a report nothing else would tell the seed that was drawn.
    if (given.seed === "random") edge.output.err(`seed ${options.seed}\n`);
    if (!edge.interrupt?.signal.aborted || !(error instanceof AdapterFault)) throw error;
    edge.output.err("interrupted before anything was run\n");
    return edge.interrupt.status();
  } finally {
    await threads?.close();
  }
}

/** The options of a run, with nothing left to chance. */
interface Drawn extends Omit<RunCommandOptions, "seed" | "salt"> {
  readonly seed: number;
  readonly salt: Salt;
}

function drawn(given: RunCommandOptions, chance: Chance): Drawn {
  const { seed, salt } = given;
  return {
    ...given,
    seed: seed === "random" ? chance.seed() : seed,
    salt: { text: salt ?? chance.salt(), told: salt !== undefined },
  };
}

/** Whether the implementation is reached by a way that only one of the kit's threads can take. */
function isRemote({ command, attach, url }: Drawn): boolean {
  return [command, attach, url].some((way) => way !== undefined);
}

/** Starts a thread for each part of the run but one, where the run can be shared: before anything else is loaded. */
async function startThreads(options: Drawn): Promise<RunThreads<AdapterOptions> | undefined> {
  const { module, replay, shard, only, bail } = options;
  const jobs = options.jobs ?? (module === undefined ? availableParallelism() : 1);
  const whole = replay === undefined && shard === undefined && only.length === 0 && !bail;
  if (jobs < 2 || isRemote(options) || !whole) return undefined;
  const { RunThreads } = await import("../engine/run/run-threads.ts");
  const { seed, salt, runs, maxWaitMs, timeoutMs } = options;
  const reach = { jobs: 1, timeoutMs, ...(module === undefined ? {} : { module }) };
  const data = { reach, seed, salt, runs, maxWaitMs, ...searchOf(options) };
  return new RunThreads(THREAD_ENTRY, data, Math.min(jobs, MOST_THREADS));
}

/**
 * The exhaustive search: of the usual depth where random cases are tried, unless the user says otherwise. Where the
 * implementation is in a process of its own, no more of what nobody has asked for than a usual run is worth.
 */
function searchOf(options: Drawn): Pick<RunOptions, "exhaustive" | "budget" | "searchRequests"> {
  const { exhaustive, runs, runsGiven = false, replay } = options;
  const depth = replay === undefined ? (exhaustive ?? (runs === 0 ? 0 : DEFAULT_DEPTH)) : 0;
  const remote = isRemote(options);
  const { steps, requestsOfCase } = REMOTE_BUDGET;
  const budget = exhaustive === undefined ? { steps, requestsOfCase } : { requestsOfCase };
  const usual = !runsGiven && exhaustive === undefined && replay === undefined;
  const searchRequests = remote ? SEARCH_REQUESTS.remote : SEARCH_REQUESTS.near;
  return {
    ...(depth === 0 ? {} : { exhaustive: depth }),
    ...(remote ? { budget } : {}),
    ...(usual ? { searchRequests } : {}),
  };
}

/** Runs, holds what came of it to the gates, and reports. */
async function judge(
  options: Drawn,
  edge: RunEdge,
  reporters: readonly Reporter[],
  threads: RunThreads<AdapterOptions> | undefined,
): Promise<number> {
  const { replay } = options;
  const { output, time } = edge;
  const data = replay === undefined ? loadKitData() : loadReplayData(replay);
  const { contract } = data;
  const accepted = acceptedNames(options.allowUntried, contract.rules);
  const nowMs = time.now();
  const gates = holdsToMore(options)
    ? await (await import("./gates.ts")).loadGates(options, data, nowMs)
    : {};
  const { adapter, words } = await selectAdapter({ ...options, jobs: options.jobs ?? 1 }, (pid) =>
    output.err(`process ${pid} started; no time limit\n`),
  );
  try {
    const runOptions = { ...runOptionsOf(options, data, edge, gates, words), accepted, adapter };
    const outcome = await watched(runOptions, edge, threads, (shown) =>
      threads === undefined
        ? runOutcome(shown)
        : import("../engine/run/run-with-threads.ts").then(({ runWithThreads }) =>
            runWithThreads(shown, threads),
          ),
    );
    const { report: judged, complete } =
      options.updateBaseline || options.updateChoices
        ? await (await import("./update-gates.ts")).updateGates(
            outcome,
            options,
            { ...data, gates, nowMs },
            output,
          )
        : { report: gatedReport(contract, outcome, gates), complete: true };
    const report = { ...judged, asked: { options: words, ...(replay === undefined ? {} : { replay }) } };
    const context = reportContext(report, contract, options);
    const saved = options.saveFailures === undefined || saveFailures(report, options.saveFailures, output);
    const written = (await writeReports(reporters, report, context, output)) && saved && complete;
    return exitStatusOf(report, written, edge);
  } finally {
    await adapter.close();
  }
}

/** Does a run, and shows meanwhile how far it has come and what it waits for. */
async function watched<Outcome>(
  options: Omit<RunOptions, "onResult" | "onSearch" | "activity">,
  { output, time, interrupt, every = () => () => undefined }: RunEdge,
  threads: RunThreads<AdapterOptions> | undefined,
  runs: (options: RunOptions) => Promise<Outcome>,
): Promise<Outcome> {
  const activity = new Activity(time, interrupt?.signal);
  const othersUntilMs = () => threads?.waitsUntilMs ?? 0;
  const progress = new Progress({ output, activity, othersUntilMs, now: time.now });
  const end = every(TICK_MS, progress.tick);
  try {
    const { onResult, onSearch } = progress;
    const stop = interrupt === undefined ? {} : { interrupt: interrupt.signal };
    return await runs({ ...options, ...stop, activity, onResult, onSearch });
  } finally {
    end();
    progress.end();
  }
}

function runOptionsOf(
  options: Drawn,
  { contract, suites }: KitData,
  { time, stopped }: RunEdge,
  { baseline }: Gates,
  words: readonly string[],
): Omit<RunOptions, "adapter" | "accepted"> {
  const { replay, shard } = options;
  const known = new Set(baseline?.baseline.known.map(({ id }) => id));
  return {
    contract,
    suites,
    kitVersion: kitVersion(),
    seed: options.seed,
    salt: options.salt,
    only: options.only,
    bail: options.bail,
    isKnown: (id) => known.has(id),
    runs: replay === undefined ? options.runs : 0,
    maxWaitMs: options.maxWaitMs,
    chosenVectors: replay !== undefined,
    ...(shard === undefined ? {} : { shard: { ...shard, options: words } }),
    time,
    stopped,
    ...searchOf(options),
  };
}

/** The run's own exit status, or what cutting it short and losing a report make of a good one. */
function exitStatusOf(
  { results, exitStatus }: GatedReport,
  written: boolean,
  { output, interrupt }: RunEdge,
): number {
  const left = results.filter(({ reason }) => reason === INTERRUPTED).length;
  if (left > 0) {
    output.err(`interrupted: ${left} of ${results.length} were not run\n`);
    return exitStatus === 1 ? exitStatus : (interrupt?.status() ?? UNDECIDED);
  }
  return exitStatus !== 0 || written ? exitStatus : UNWRITTEN;
}

/** Whether the implementation is held to anything besides the contract. */
function holdsToMore(options: GatesOptions): boolean {
  const { baseline, updateBaseline, choices, updateChoices, suite } = options;
  return [baseline, choices, suite].some((file) => file !== undefined) || !!updateBaseline || !!updateChoices;
}

/** What looks at the whole of a run cannot be had of a part of it. */
function checkShard({ shard, updateBaseline, updateChoices, salt, url, controlUrl }: Drawn): void {
  if (shard === undefined) return;
  if (url !== undefined && controlUrl === undefined && !salt.told)
    throw new UsageError(
      "--shard needs --salt TEXT here, the same for every part: the service outlives the run",
    );
  if (updateBaseline || updateChoices)
    throw new UsageError(
      `${updateBaseline ? "--update-baseline" : "--update-choices"} goes with merge, not with --shard`,
    );
}
