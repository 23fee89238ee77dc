import { availableParallelism } from "node:os";
import type { Adapter } from "../adapters/adapter.ts";
import { type KitData, loadKitData, loadReplayData } from "../contract/kit-data.ts";
import type { RealTime } from "../engine/play/real-time.ts";
import type { RunOutcome } from "../engine/run/report.ts";
import { type RunOptions, runOutcome } from "../engine/run/run.ts";
import type { RunThreads } from "../engine/run/run-threads.ts";
import type { Salt } from "../engine/run/stage.ts";
import { DEFAULT_DEPTH, REMOTE_BUDGET, SEARCH_REQUESTS } from "../engine/search/default-runs.ts";
import { kitVersion } from "../paths.ts";
import type { Asked, Gates } from "../policies/gated-report.ts";
import { acceptedNames } from "./accepted-names.ts";
import type { Chance } from "./chance.ts";
import type { GatesOptions } from "./gates.ts";
import { serviceData } from "./judged-data.ts";
import type { OptionsOf } from "./options.ts";
import { type AdapterOptions, selectAdapter } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";

/** What says which implementation is judged and how: of a command line, or of a call. */
export interface JudgeRunOptions
  extends Omit<OptionsOf<"run">, "facts" | "reporter" | "verbose" | "config" | "watch">,
    Pick<AdapterOptions, "facts" | "commandFolder"> {
  /** How a command line names the implementation, where that is not by the options that reach it. */
  readonly askedAs?: readonly string[];
  /** Whether the user has asked for this number of random cases, rather than for a usual run. */
  readonly runsGiven?: boolean;
  /** A file of vectors to play in place of the kit's own: nothing else is tried, and no verdict is given. */
  readonly replay?: string;
}

type Way = "command" | "url";

/** The options of a run, with nothing left to chance. */
export type Drawn<Options extends JudgeRunOptions = JudgeRunOptions> = Omit<Options, "seed" | "salt"> & {
  readonly seed: number;
  readonly salt: Salt;
};

/** What the edge of the program gives to a run. */
export interface JudgeEdge {
  readonly time: RealTime;
  /** Why to stop early, once there is a reason. */
  readonly stopped: () => string | undefined;
  /** Why what is left is not run once the run was stopped: what {@link stopped} gives then. */
  readonly stopReason: string;
  /** Told of a process that has no time limit. */
  readonly onSpawn: (pid: number) => void;
  /** How the implementation is reached, where that is not by the options. */
  readonly reach?: () => Adapter;
  /** Does the run, with somebody looking on. */
  readonly look: (run: (onlooker: Onlooker) => Promise<RunOutcome>) => Promise<RunOutcome>;
}

/** Who looks on while a run is done. */
export interface Onlooker extends Pick<RunOptions, "activity" | "onResult" | "onSearch"> {
  /** Aborted when the run is to end at once: what `activity` is made with. */
  readonly interrupt?: AbortSignal;
}

/** What a run came to, and what it is to be held to. */
export interface JudgedRun extends KitData {
  readonly outcome: RunOutcome;
  readonly gates: Gates;
  readonly asked: Asked;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/** What each thread runs; plain JavaScript, since Node 20 applies no TypeScript loader to the entry of a thread. */
const THREAD_ENTRY = new URL("./run-thread-entry.mjs", import.meta.url);

/** More threads than this have each too little to do. */
const MOST_THREADS = 8;

/** Draws what is left to chance. */
export function drawn<Options extends JudgeRunOptions>(given: Options, chance: Chance): Drawn<Options> {
  const { seed, salt } = given;
  return {
    ...given,
    seed: seed === "random" ? chance.seed() : seed,
    salt: { text: salt ?? chance.salt(), told: salt !== undefined },
  };
}

/**
 * Does a run by the adapter that the options name; writes nothing.
 * @throws {UsageError} for options that do not go together, or name what is not there
 * @throws {DataError} for a file with a fault, and where a glob matches nothing
 * @throws {AdapterFault} where the implementation cannot be reached at all
 */
export async function judgeRun(options: Drawn, edge: JudgeEdge): Promise<JudgedRun> {
  checkShard(options);
  const threads = await startThreads(options, edge);
  try {
    return await judge(options, edge, threads);
  } finally {
    await threads?.close();
  }
}

async function judge(
  options: Drawn,
  edge: JudgeEdge,
  threads: RunThreads<AdapterOptions> | undefined,
): Promise<JudgedRun> {
  const { replay } = options;
  const data = replay === undefined ? loadKitData() : loadReplayData(replay);
  const accepted = acceptedNames(options.allowUntried, data.contract.rules);
  const nowMs = edge.time.now();
  const gates = holdsToMore(options)
    ? await (await import("./gates.ts")).loadGates(options, serviceData(data), nowMs)
    : {};
  const { adapter, words } = await reached(options, edge);
  try {
    const runOptions = { ...runOptionsOf(options, data, edge, gates, words), accepted, adapter };
    const outcome = await edge.look((onlooker) => {
      const looked = { ...runOptions, ...onlooker };
      return threads === undefined ? runOutcome(looked) : threads.run(looked);
    });
    const asked: Asked = {
      options: words,
      ...(replay === undefined ? {} : { replay }),
      ...(edge.reach === undefined ? {} : { inCode: true }),
    };
    return { ...data, outcome, gates, asked, nowMs };
  } finally {
    await adapter.close();
  }
}

async function reached(
  options: Drawn,
  { reach, onSpawn }: JudgeEdge,
): Promise<{ readonly adapter: Adapter; readonly words: readonly string[] }> {
  if (reach !== undefined) return { adapter: reach(), words: [] };
  const { adapter, words } = await selectAdapter({ ...options, jobs: options.jobs ?? 1 }, onSpawn);
  return { adapter, words: options.askedAs ?? words };
}

/** Whether the implementation is in a process, or on a machine, that the kit does not start for each instance of a module. */
function isRemote({ command, url }: Pick<JudgeRunOptions, Way>): boolean {
  return command !== undefined || url !== undefined;
}

/**
 * Starts a thread for each part of the run but one, where the bundled reference is judged, which is called in the kit's own
 * process: before anything else is loaded.
 */
async function startThreads(
  options: Drawn,
  { reach: own, stopReason }: JudgeEdge,
): Promise<RunThreads<AdapterOptions> | undefined> {
  const { module, replay, shard, only, bail } = options;
  const jobs = module === undefined ? (options.jobs ?? availableParallelism()) : 1;
  const whole = replay === undefined && shard === undefined && only.length === 0 && !bail;
  if (jobs < 2 || own !== undefined || isRemote(options) || !whole) return undefined;
  const { RunThreads } = await import("../engine/run/run-threads.ts");
  const { seed, salt, runs, maxWaitMs, timeoutMs } = options;
  const data = {
    reach: { jobs: 1, timeoutMs },
    seed,
    salt,
    runs,
    maxWaitMs,
    stopReason,
    ...searchOf(options),
  };
  return new RunThreads(THREAD_ENTRY, data, Math.min(jobs, MOST_THREADS));
}

/**
 * The exhaustive search: of the usual depth where random cases are tried, unless the user says otherwise. Where the
 * implementation is in a process of its own, searches that the user did not request have a budget.
 */
export function searchOf(
  options: Pick<JudgeRunOptions, "exhaustive" | "runs" | "runsGiven" | "replay" | Way>,
): Pick<RunOptions, "exhaustive" | "budget" | "searchRequests"> {
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

function runOptionsOf(
  options: Drawn,
  { contract, suites }: KitData,
  { time, stopped }: JudgeEdge,
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

/** Whether the implementation is held to anything besides the contract. */
function holdsToMore(options: GatesOptions): boolean {
  const { baseline, updateBaseline, choices, updateChoices } = options;
  return [baseline, choices].some((file) => file !== undefined) || !!updateBaseline || !!updateChoices;
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
