import type { Adapter, ImplementationInfo } from "../../adapters/adapter.ts";
import type { Contract, SearchProgress } from "../contract.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { searchIds } from "../search/search-ids.ts";
import type { Suites } from "../vectors/load.ts";
import type { Vector } from "../vectors/vector.ts";
import { Activity, requestsOf } from "./activity.ts";
import { attributeFailures, tellsAnything } from "./attribute-failures.ts";
import { beginService, drive } from "./drive.ts";
import { usualRequestMs } from "./latencies.ts";
import { type Chosen, choose, keepOneToReport, plan } from "./plan.ts";
import type { Item } from "./pool.ts";
import {
  lifetimeFacts,
  makeReport,
  type Report,
  type RunFacts,
  type RunOutcome,
  type SearchShare,
  type ShardFacts,
} from "./report.ts";
import {
  reduced,
  type Search,
  type SearchAmount,
  type SearchBudget,
  type Searching,
  searchesOf,
  searchShare,
} from "./searching.ts";
import { isOfShard } from "./shard.ts";
import { type RunStage, type Salt, setStage } from "./stage.ts";
import { BAILED } from "./stop.ts";
import { type WatchedConnection, watchedAdapter } from "./watched-adapter.ts";

/** What a run is done with. */
export interface RunOptions {
  readonly contract: Contract;
  readonly suites: Suites;
  readonly adapter: Adapter;
  readonly kitVersion: string;
  readonly seed: number;
  /** Counts where the service may remember other runs (see `setStage`). Without one a live service is judged but once. */
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
  readonly time: RealTime;
  /** What the run is at, where somebody looks on; one of its own otherwise. */
  readonly activity?: Activity;
  /** Asked now and then: why to stop, once there is a reason. */
  readonly stopped?: () => string | undefined;
  /** Told of each result as it comes, and how many of how many there are. */
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

/** Does a run, and gives its report. Policies, such as a baseline, are not part of it. */
export async function run(options: RunOptions): Promise<Report> {
  return makeReport(options.contract, await runOutcome(options));
}

/** A request that takes longer than this is worth sending while others are under way, in ms. */
const SLOW_REQUEST_MS = 5;
/** So many requests tell how long one takes: the first may take long for reasons of its own. */
const TELLING_REQUESTS = 10;

/**
 * The program: choose, connect, plan, play the vectors and search on the instances of a pool, and put the results together.
 * @throws {DataError} where a pattern of `only` selects nothing
 * @throws {AdapterFault} where the implementation cannot be reached at all
 */
export async function runOutcome(given: RunOptions): Promise<RunOutcome> {
  const startedAt = given.time.now();
  const work = await chooseWork(given);
  const { activity = new Activity(given.time), contract, shard } = given;
  const watched = watchedAdapter(given.adapter, contract, activity);
  const options = { ...given, adapter: watched, time: activity.time };
  let connection = await watched.connect(contract);
  try {
    const { info } = connection;
    const stage = setStage(info, options);
    watched.greet = (one) => stage.measured.greet(one);
    const notTheService = await beginService(connection, stage, options.time);
    // What ended while it was asked who it is, is no reason against any vector.
    if (connection.ended && given.stopped?.() === undefined) {
      await connection.close();
      connection = await watched.connect(contract);
    }
    const watch = new Watch(options, work, notTheService);
    const search = laterSearches(options, work, { info, stage, watch, activity });
    const on = { connection, stage, notTheService, watch, activity, searches: search.items() };
    const vectors = await playVectors(options, work, on);
    const searched = search.outcome();
    const lifetimes = stage.measured.isMeasured("clock") ? lifetimeFacts(stage.measured.timekeeping) : [];
    const results = [...vectors, ...searched.results, ...stage.measured.results()];
    const { amount, slow, facts } = searched;
    return {
      results: shard === undefined ? attributeFailures(results).filter(tellsAnything) : results,
      facts: factsOf({ ...options, ...amount }, work, info, {
        durationMs: Math.round(options.time.now() - startedAt),
        time: activity.facts(),
        ...(slow === undefined ? {} : { slow: { ...slow, usualRuns: options.runs } }),
        ...(stage.salt === undefined ? {} : { salt: stage.salt }),
        ...(lifetimes.length === 0 ? {} : { lifetimes }),
        ...(facts === undefined ? {} : { search: facts }),
      }),
    };
  } finally {
    await connection.close();
  }
}

/** What there is to do: the whole, and the part of it that is this run's. */
interface Work {
  readonly chosen: Chosen<Vector>;
  readonly searches: Searching["searches"] | undefined;
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

/** The searches of a run, none of which is made before all vectors have begun: only then is known how much there is time for. */
function laterSearches(
  { runs, budget, exhaustive, adapter, time, onSearch, shard, searchRequests }: RunOptions,
  { searches, chosen }: Work,
  on: Pick<Searching, "info" | "stage"> & { readonly watch: Watch; readonly activity: Activity },
) {
  const { info, stage, watch, activity } = on;
  const whole: SearchAmount = {
    runs,
    ...(budget === undefined ? {} : { budget }),
    ...(exhaustive === undefined ? {} : { exhaustive }),
  };
  let made: { readonly amount: SearchAmount; readonly all: readonly Search[]; readonly slow?: SearchShare };
  made = { amount: whole, all: [] };
  const shareThereIsTimeFor = () => {
    // Parts of a run must all try the same: there it is all of them.
    if (searchRequests === undefined || shard !== undefined) return undefined;
    const facts = activity.facts();
    const eachMs = adapter.jobs > 1 ? facts.serviceMs / Math.max(1, requestsOf(facts)) : undefined;
    return searchShare(facts.operations, searchRequests, eachMs);
  };
  return {
    /** What there is to do for them, in their order. */
    *items(): Iterable<Item> {
      if (searches === undefined) return;
      const slow = shareThereIsTimeFor();
      const amount = slow === undefined ? whole : reduced(whole, slow);
      const all = searchesOf({
        searches,
        amount,
        chosen: (id) => chosen.properties.has(id),
        info,
        stage,
        time,
        instances: adapter.jobs,
        ...(shard === undefined ? {} : { shard }),
        stopped: watch.stopped,
        ...(onSearch === undefined ? {} : { onSearch }),
        onResult: watch.onResult,
      });
      made = { amount, all, ...(slow === undefined ? {} : { slow }) };
      for (const search of all) yield* search.items;
    },
    /** What came of them. */
    outcome() {
      const { amount, all, slow } = made;
      const facts = all.find((search) => search.facts !== undefined)?.facts?.();
      return { results: all.flatMap((search) => search.result() ?? []), facts, amount, slow };
    },
  };
}

function playVectors(
  options: RunOptions,
  { chosen }: Work,
  on: {
    readonly connection: WatchedConnection;
    readonly stage: RunStage;
    readonly notTheService: string | undefined;
    readonly watch: Watch;
    readonly activity: Activity;
    readonly searches: Iterable<Item>;
  },
): Promise<readonly Result[]> {
  const { contract, maxWaitMs, shard, adapter, time } = options;
  const { connection, stage, notTheService, watch, activity, searches } = on;
  const planned = keepOneToReport(
    plan(chosen.vectors, connection.info, maxWaitMs),
    notTheService,
    contract.identity.rule,
  );
  return drive(
    planned.filter((_, place) => shard === undefined || isOfShard(place, shard)),
    {
      adapter,
      time,
      first: connection,
      stage,
      bail: watch.bails,
      isSlow: () => isSlow(activity),
      abandon: (reason) => activity.abandon(reason),
      onAgain: (vectors) => {
        activity.playedAgain += vectors;
      },
      stopped: watch.interrupted,
      onResult: watch.onResult,
      ...(chosen.properties.size === 0 ? {} : { searches }),
    },
  );
}

function isSlow(activity: Activity): boolean {
  const facts = activity.facts();
  return requestsOf(facts) >= TELLING_REQUESTS && (usualRequestMs(facts.operations) ?? 0) > SLOW_REQUEST_MS;
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
