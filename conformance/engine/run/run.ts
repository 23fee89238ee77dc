import {
  type Adapter,
  AdapterFault,
  type Connection,
  type ImplementationInfo,
} from "../../adapters/adapter.ts";
import type { Contract, SearchProgress, Stage } from "../contract.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { startTime } from "../play/start-times.ts";
import { Grounds } from "../search/grounds.ts";
import { searchIds } from "../search/search-ids.ts";
import type { Suites } from "../vectors/load.ts";
import type { Vector } from "../vectors/vector.ts";
import { Activity, type TimeFacts } from "./activity.ts";
import { attributeFailures } from "./attribute-failures.ts";
import type { Beside } from "./beside.ts";
import { type Chosen, choose } from "./choose.ts";
import { dealSearches } from "./deal-searches.ts";
import { type Driven, drive } from "./drive.ts";
import { checkIdentity, keepOneToReport } from "./identity-check.ts";
import { plan } from "./plan.ts";
import {
  lifetimeFacts,
  makeReport,
  type Report,
  type RunFacts,
  type RunOutcome,
  type ShardFacts,
} from "./report.ts";
import { SearchesBeside, type SearchesGiven, searchAfter } from "./run-searches.ts";
import type { Salt } from "./salt.ts";
import { usualRequestMs } from "./search-share.ts";
import type { SearchBudget, SearchWork } from "./searching.ts";
import { setStage, setStageSideBySide } from "./set-stage.ts";
import { isOfShard } from "./shard.ts";
import { BAILED } from "./stop.ts";
import { type WatchedConnection, watchedAdapter } from "./watched-adapter.ts";

/** What a run is done with. */
export interface RunOptions {
  readonly contract: Contract;
  readonly suites: Suites;
  readonly adapter: Adapter;
  readonly kitVersion: string;
  readonly seed: number;
  /** Counts where the service may remember other runs (see `saltFor`). Without one a live service is judged but once. */
  readonly salt?: Salt;
  readonly only: readonly string[];
  /** Whether the vectors themselves are a choice, as those of a file that is replayed: then no verdict is given. */
  readonly chosenVectors?: boolean;
  readonly bail: boolean;
  /** Whether a failure of the result of that id is known, and so no reason to stop. */
  readonly isKnown?: (id: string) => boolean;
  /** Random cases that each property tries; 0 leaves the properties out. */
  readonly runs: number;
  /** Length of the sequences that the exhaustive search tries; no search where it is absent. */
  readonly exhaustive?: number;
  /** What the searches may spend: see `ExhaustiveOptions` and `PropertyRun`. Anything, unless told. */
  readonly budget?: SearchBudget;
  /**
   * About how many requests these searches take, where nobody has asked for so many: a slow implementation is asked for
   * a share of them, and the report says so.
   */
  readonly searchRequests?: number;
  /** Told now and then how far the search of every sequence has come. */
  readonly onSearch?: (progress: SearchProgress) => void;
  readonly maxWaitMs: number;
  /** What the user accepts that it was not tried: see `acceptsUntried`. */
  readonly accepted: ReadonlySet<string>;
  /** Which part of the run to do, where several share it. */
  readonly shard?: Omit<ShardFacts, "expected">;
  /** Which vector is next, where threads share them as they come: see `DriveOptions`. */
  readonly nextPlace?: () => number;
  readonly time: RealTime;
  /** What the run is at, where somebody looks on; one of its own otherwise. */
  readonly activity?: Activity;
  /** Asked now and then: why to stop, once there is a reason. */
  readonly stopped?: () => string | undefined;
  /** Aborted when the run is to end at once, where threads share it: what `activity` is made with. */
  readonly interrupt?: AbortSignal;
  /** Told of each result as it comes, and how many of how many there are. */
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

/** Does a run, and gives its report. Policies, such as a baseline, are not part of it. */
export async function run(options: RunOptions): Promise<Report> {
  return makeReport(options.contract, await runOutcome(options));
}

/**
 * The program: choose, connect, plan, play the vectors, search, and put together what came of it.
 * @throws {DataError} where a pattern of `only` selects nothing
 * @throws {AdapterFault} where the implementation cannot be reached at all
 */
export async function runOutcome(given: RunOptions): Promise<RunOutcome> {
  const startedAt = given.time.now();
  const work = await chooseWork(given);
  const { activity = new Activity(given.time), contract } = given;
  const adapter = watchedAdapter(given.adapter, contract, activity);
  const options = { ...given, adapter, time: activity.time };
  let connection = await adapter.connect(contract);
  try {
    const { info } = connection;
    const prepare = async (on: Connection) => ({
      stage: await setStage(on, options, options.time),
      identity: await checkIdentity(on, contract.identity),
    });
    const side = await stageSideBySide(options, connection, activity);
    const { stage, identity } = side ?? (await prepare(connection));
    // What ended while it was measured is no reason against any vector.
    if (connection.ended && given.stopped?.() === undefined) {
      await connection.close();
      connection = await adapter.connect(contract);
    }
    const watch = new Watch(options, work, identity);
    const asked = activity.facts();
    const deal = dealSearches({
      ...options,
      vectorsAsTheyCome: comeToWhoeverIsFree(options, info),
      lanes: adapter.jobs,
    });
    const slow = isSlow(asked);
    const searches: SearchesGiven = {
      amount: options,
      work,
      info,
      stage,
      watch,
      deal,
      activity,
      asked,
      // Parts of a run must all try the same: there it is all of them.
      searchRequests: options.shard === undefined ? options.searchRequests : undefined,
      connect: deal.searchesFirst
        ? () => adapter.connect(contract)
        : handedOn(connection, () => adapter.connect(contract)),
    };
    const together =
      slow && maySearchBeside(options, connection) ? new SearchesBeside(searches, adapter.jobs) : undefined;
    const play = () =>
      playVectors(options, work, {
        connection,
        prepare: async (on) => void (await prepare(on)),
        slow,
        stage,
        identity,
        watch,
        activity,
        beside: together?.beside,
      });
    const early = deal.searchesFirst ? undefined : await play();
    const searched = (await together?.outcome()) ?? (await searchAfter(searches, early?.lanes ?? 1));
    const { results: vectors } = early ?? (await play());
    const lifetimes = lifetimeFacts(stage.timekeeping);
    const { amount, properties, every } = searched;
    const results = [...vectors, ...properties, ...(every === undefined ? [] : [every.outcome.result])];
    return {
      results: options.shard === undefined ? attributeFailures(results) : results,
      facts: factsOf({ ...options, ...amount }, work, info, {
        durationMs: Math.round(options.time.now() - startedAt),
        time: activity.facts(),
        ...(searched.slow === undefined ? {} : { slow: { ...searched.slow, usualRuns: options.runs } }),
        ...(stage.salt === undefined ? {} : { salt: stage.salt }),
        ...(lifetimes.length === 0 ? {} : { lifetimes }),
        ...(every === undefined ? {} : { search: every.facts }),
      }),
    };
  } finally {
    await connection.close();
  }
}

/**
 * Sets the stage on several services at once, where each request takes long: {@link setStage} waits for some hundred.
 * @returns undefined where that is to be done on one alone
 */
async function stageSideBySide(
  options: RunOptions,
  connection: Connection,
  activity: Activity,
): Promise<{ readonly stage: Stage; readonly identity: string | undefined } | undefined> {
  const { adapter, contract, seed } = options;
  const { info } = connection;
  if (!areApart(adapter, connection)) return undefined;
  const grounds = new Grounds(info, () => adapter.connect(contract), adapter.jobs - 1);
  try {
    await connection.start(startTime("between-seconds", seed));
    const identity = await checkIdentity(connection, contract.identity);
    if (identity !== undefined || !isSlow(activity.facts())) return undefined;
    const stage = await setStageSideBySide((ask) => grounds.use(ask), info, options);
    return stage && { stage, identity };
  } catch (error) {
    // Whoever asks next finds what is wrong.
    if (error instanceof AdapterFault) return undefined;
    throw error;
  } finally {
    await grounds.close();
  }
}

/** A request that takes longer than this is worth sending while others are under way, in ms. */
const SLOW_REQUEST_MS = 5;

function isSlow({ operations }: TimeFacts): boolean {
  return (usualRequestMs(operations) ?? 0) > SLOW_REQUEST_MS;
}

/** Whether there are several services in one process, each of which can be started and moved in time by itself. */
function areApart({ jobs }: Adapter, { info, carrier }: Connection): boolean {
  const { clock, restart } = info.capabilities;
  return jobs > 1 && carrier !== undefined && clock === "virtual" && restart;
}

/** Whether searches may be tried beside the vectors. Who stops at the first failure wants the vectors first. */
function maySearchBeside({ adapter, bail, shard }: RunOptions, connection: Connection): boolean {
  return areApart(adapter, connection) && !bail && shard === undefined;
}

/** What there is to do: the whole, and the part of it that is this run's. */
interface Work extends SearchWork {
  readonly chosen: Chosen<Vector>;
  /** How many could have been chosen. */
  readonly of: number;
  /** Results that all parts of the run have together. */
  readonly expected: number;
  /** Results of vectors and properties that this part of the run has. */
  readonly total: number;
}

async function chooseWork({ contract, suites, only, runs, exhaustive, shard }: RunOptions): Promise<Work> {
  const ids = runs === 0 && exhaustive === undefined ? undefined : await searchIds(contract);
  const properties = [
    ...(runs === 0 ? [] : (ids?.properties ?? [])),
    ...(exhaustive === undefined || ids === undefined ? [] : [ids.exhaustive]),
  ];
  const chosen = choose(suites.vectors, properties, only);
  // Loaded only where they run: generators and the model take as long to load as the vectors.
  const searches = chosen.properties.size === 0 ? undefined : await contract.searches();
  const own = chosen.vectors.filter((_, place) => shard === undefined || isOfShard(place, shard));
  return {
    chosen,
    searches,
    of: suites.vectors.length + properties.length,
    expected: chosen.vectors.length + chosen.properties.size,
    total: own.length + chosen.properties.size,
  };
}

/** Counts the results as they come, and knows why to stop. */
class Watch {
  readonly #options: RunOptions;
  readonly #total: number;
  readonly #notTheService: string | undefined;
  #done = 0;
  #bailed = false;

  constructor(options: RunOptions, { total }: Work, notTheService: string | undefined) {
    this.#options = options;
    this.#total = total;
    this.#notTheService = notTheService;
  }

  readonly onResult = (result: Result): void => {
    this.#bailed ||= this.bails(result);
    this.#options.onResult?.(result, ++this.#done, this.#total);
  };

  /** Whether the run is to stop after this result: it would be told first. What fails on the way to something else is not. */
  readonly bails = ({ id, failures }: Result): boolean => {
    const { bail, isKnown = () => false } = this.#options;
    return bail && failures.some(({ aside }) => aside === undefined) && !isKnown(id);
  };

  /** Why the user wants the run to stop, once there is a reason. */
  readonly interrupted = (): string | undefined => this.#options.stopped?.();

  /** Why what comes after the vectors is left out, if it is. */
  readonly stopped = (): string | undefined => {
    if (this.#notTheService !== undefined) return `not tried: ${this.#notTheService}`;
    return this.#bailed ? BAILED.reason : this.interrupted();
  };
}

async function playVectors(
  options: RunOptions,
  { chosen }: Work,
  on: {
    readonly connection: WatchedConnection;
    readonly prepare: (connection: Connection) => Promise<void>;
    readonly slow: boolean;
    readonly stage: Stage;
    readonly identity: string | undefined;
    readonly watch: Watch;
    readonly activity: Activity;
    readonly beside: Beside | undefined;
  },
): Promise<Driven> {
  const { contract, maxWaitMs, shard, nextPlace } = options;
  const { connection, prepare, slow, stage, identity, watch, activity, beside } = on;
  const planned = keepOneToReport(
    plan(chosen.vectors, connection.info, maxWaitMs),
    identity,
    contract.identity.rule,
  );
  const asTheyCome = comeToWhoeverIsFree(options, connection.info);
  const own = planned.filter((_, place) => asTheyCome || shard === undefined || isOfShard(place, shard));
  return drive(own, {
    adapter: options.adapter,
    time: options.time,
    ...(asTheyCome && nextPlace !== undefined ? { nextPlace } : {}),
    first: connection,
    prepare,
    slow,
    ...(beside === undefined ? {} : { beside }),
    stage,
    bail: watch.bails,
    abandon: (reason) => activity.abandon(reason),
    onAgain: (vectors) => {
      activity.playedAgain += vectors;
    },
    stopped: watch.interrupted,
    onResult: watch.onResult,
  });
}

/** Whether threads take vectors as they come, rather than each its own. */
function comeToWhoeverIsFree({ nextPlace }: RunOptions, { capabilities }: ImplementationInfo): boolean {
  return nextPlace !== undefined && capabilities.clock === "virtual" && capabilities.restart;
}

/** Opens connections, of which the first is one that is open already, unless a fault has ended it. */
function handedOn(open: WatchedConnection, connect: () => Promise<Connection>): () => Promise<Connection> {
  let handed = false;
  return async () => {
    if (handed || open.ended) return connect();
    handed = true;
    return open;
  };
}

function factsOf(
  { kitVersion, adapter, seed, runs, suites, accepted, only, chosenVectors, shard, stopped }: RunOptions,
  { chosen, of, expected }: Work,
  info: ImplementationInfo,
  measured: Pick<RunFacts, "durationMs" | "time" | "salt" | "slow" | "search" | "lifetimes">,
): RunFacts {
  const selection = { only, chosen: chosen.vectors.length + chosen.properties.size, of };
  return {
    kitVersion,
    info,
    adapter: adapter.transport,
    seed,
    runs,
    digest: suites.digest,
    accepted,
    ...measured,
    ...(only.length === 0 && !chosenVectors ? {} : { selection }),
    ...(stopped?.() === undefined ? {} : { stopped: true as const }),
    ...(shard === undefined ? {} : { shard: { ...shard, expected } }),
  };
}
