/** The searches of a run, as items of its pool. */
import { AdapterFault, type ImplementationInfo } from "../../adapters/adapter.ts";
import type {
  ExhaustiveOutcome,
  ExhaustiveProperty,
  Property,
  PropertyDescription,
  Searches,
  SearchProgress,
  Stage,
} from "../contract.ts";
import { endedBy } from "../play/breakage.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { casesOf } from "../search/cases.ts";
import { EXHAUSTIVE_STEPS } from "../search/default-runs.ts";
import { propertyId, propertyResult, untriedProperty } from "../search/property-result.ts";
import { unmetNeed } from "../vectors/need.ts";
import { type OperationTime, usualRequestMs } from "./latencies.ts";
import { mergeShares } from "./merge-reports.ts";
import type { Item, Played } from "./pool.ts";
import type { SearchFacts, SearchShare } from "./report.ts";
import { type Shard, stretchOf } from "./shard.ts";
import type { Stop } from "./stop.ts";

/** What searches may spend of a slow implementation's time, in what they ask of it: never in time, which differs. */
export interface SearchBudget {
  /** Steps of the exhaustive search, of all shards together. */
  readonly steps?: number;
  /** Requests of each random case. */
  readonly requestsOfCase?: number;
}

/** How much is searched. */
export interface SearchAmount {
  /** Random cases that each property tries; none where it is 0. */
  readonly runs: number;
  readonly budget?: SearchBudget;
  /** Length of the sequences of which every one is tried; none where it is absent. */
  readonly exhaustive?: number;
}

/** What is searched, and who looks on. */
export interface Searching {
  readonly searches: Searches;
  readonly amount: SearchAmount;
  /** Whether the search of that id was chosen. */
  readonly chosen: (id: string) => boolean;
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  readonly time: RealTime;
  /** Which part of the searches to try, where several share them. */
  readonly shard?: Shard;
  /** How many instances there are to try stretches of one search side by side. */
  readonly instances: number;
  /** Asked before and now and then in a search: why to stop, if so. */
  readonly stopped: () => string | undefined;
  readonly onSearch?: (progress: SearchProgress) => void;
  /** Told of the result of each search, once all of its stretches are through. */
  readonly onResult: (result: Result) => void;
}

/** One search, in stretches that may be tried side by side: each is an item of a pool. */
export interface Search {
  readonly id: string;
  readonly items: readonly Item[];
  /** What came of it; undefined before all of its stretches are through. */
  result(): Result | undefined;
  /** What was tried of an exhaustive search. */
  facts?(): SearchFacts;
}

/** Most stretches that a search is cut in. */
const MOST_STRETCHES = 20;
/** An exhaustive search with a budget spends it in so many stretches, however many instances there are. */
const STRETCHES_OF_BUDGET = 8;
/** Class of `Item.length` of a search. */
const LENGTH = 1;
const WHOLE: Shard = { index: 1, of: 1 };
/** Whatever comes after the first stretch that does not pass is not told. */
const FOUND: Stop = { outcome: "skipped", reason: "an earlier case did not pass" };

/** The chosen searches, in the order in which they are told. A property of which a shard has no case is none. */
export function searchesOf(searching: Searching): readonly Search[] {
  const { searches, amount, chosen } = searching;
  const { runs, exhaustive: depth } = amount;
  const properties = searches.properties.filter((property) => runs > 0 && chosen(propertyId(property)));
  return [
    ...properties.flatMap((property) => propertySearch(property, searching) ?? []),
    ...(depth === undefined || !chosen(propertyId(searches.exhaustive))
      ? []
      : [exhaustiveSearch(searches.exhaustive, depth, searching)]),
  ];
}

function propertySearch(property: Property, searching: Searching): Search | undefined {
  const { amount, stage, shard = WHOLE, instances } = searching;
  const { requestsOfCase } = amount.budget ?? {};
  const count = casesOf(property, amount.runs);
  const { count: own } = stretchOf(count, shard);
  if (own === 0) return undefined;
  const stretches = Math.min(instances, own, MOST_STRETCHES);
  return new StretchedSearch(property, stretches, searching, async (connection, place) => {
    const cases = stretchOf(count, within(shard, place, stretches));
    const budget = requestsOfCase === undefined ? {} : { requestsOfCase };
    return propertyResult(property, await property.check({ connection, stage, cases, ...budget }));
  });
}

function exhaustiveSearch(exhaustive: ExhaustiveProperty, depth: number, searching: Searching): Search {
  const { amount, info, stage, time, shard = WHOLE, instances, stopped, onSearch } = searching;
  const { steps } = amount.budget ?? {};
  const stretches = steps === undefined ? Math.min(instances, MOST_STRETCHES) : STRETCHES_OF_BUDGET;
  const mostSteps = steps === undefined ? {} : { mostSteps: Math.ceil(steps / (shard.of * stretches)) };
  const progress: SearchProgress[] = [];
  const outcomes: ExhaustiveOutcome[] = [];
  let [beganMs, endedMs] = [Number.POSITIVE_INFINITY, 0];
  const search = new StretchedSearch(exhaustive, stretches, searching, async (connection, place) => {
    beganMs = Math.min(beganMs, time.now());
    const outcome = await exhaustive.search({
      connection,
      info,
      stage,
      depth,
      ...mostSteps,
      shard: within(shard, place, stretches),
      stopped,
      onProgress: (one) => {
        progress[place] = one;
        onSearch?.({ ...sumOf(progress), ended: one.ended && outcomes.length === stretches - 1 });
      },
    });
    outcomes[place] = outcome;
    endedMs = time.now();
    return outcome.result;
  });
  return {
    id: search.id,
    items: search.items,
    result: () => search.result(),
    facts: () => {
      const { ended: _, ...sum } = sumOf(search.told(outcomes));
      return { depth, ...sum, durationMs: Math.max(0, Math.round(endedMs - beganMs)) };
    },
  };
}

/** So many parts of a part of a run, and of them the one at that place. */
function within({ index, of }: Shard, place: number, parts: number): Shard {
  return { index: (index - 1) * parts + place + 1, of: of * parts };
}

function sumOf(all: readonly SearchProgress[]): SearchProgress {
  const sum = (count: "sequences" | "leftOut" | "ofSequences" | "steps") =>
    all.reduce((total, one) => total + (one?.[count] ?? 0), 0);
  const [sequences, leftOut] = [sum("sequences"), sum("leftOut")];
  return { sequences, leftOut, ofSequences: sum("ofSequences"), steps: sum("steps"), ended: true };
}

class StretchedSearch implements Search {
  readonly id: string;
  readonly items: readonly Item[];
  readonly #searched: PropertyDescription;
  readonly #searching: Searching;
  readonly #play: (connection: Parameters<Item["play"]>[0], place: number) => Promise<Result>;
  /** What the stretches came to, by place. */
  readonly #shares: Result[] = [];
  #through = new Set<number>();
  #isTold = false;

  constructor(
    searched: PropertyDescription,
    stretches: number,
    searching: Searching,
    play: (connection: Parameters<Item["play"]>[0], place: number) => Promise<Result>,
  ) {
    this.id = propertyId(searched);
    this.#searched = searched;
    this.#searching = searching;
    this.#play = play;
    this.items = Array.from({ length: stretches }, (_, place) => this.#item(place));
  }

  #item(place: number): Item {
    return {
      length: LENGTH,
      play: async (connection) => {
        const played = await this.#playStretch(connection, place);
        this.#shares[place] = played.result;
        return played;
      },
      leftOut: (why) => this.#leftOut(why),
      done: ({ result }) => {
        this.#shares[place] = result;
        this.#through.add(place);
        const whole = this.result();
        if (whole === undefined || this.#isTold) return;
        this.#isTold = true;
        this.#searching.onResult(whole);
      },
    };
  }

  async #playStretch(connection: Parameters<Item["play"]>[0], place: number): Promise<Played> {
    const { info, stage, stopped } = this.#searching;
    const reason = stopped();
    if (reason !== undefined) return this.#leftOut({ outcome: "skipped", reason });
    const unmet = unmetNeed(this.#searched.needs, info);
    if (unmet !== undefined) return this.#leftOut({ outcome: "skipped", ...unmet });
    if (this.#shares.slice(0, place).some((share) => share.outcome !== "passed")) return this.#leftOut(FOUND);
    // The model needs all that there is to know of the service.
    const { timekeeping: _, room: __ } = stage.measured;
    return { result: await this.#play(connection, place) };
  }

  #leftOut(why: Stop | AdapterFault): Played {
    if (why instanceof AdapterFault)
      return { fault: why, result: { ...untriedProperty(this.#searched, "error"), ...endedBy(why) } };
    const { outcome, ...reason } = why;
    return { result: untriedProperty(this.#searched, outcome, reason) };
  }

  result(): Result | undefined {
    const { length } = this.items;
    return this.#through.size === length ? mergeShares(this.#shares as [Result, ...Result[]]) : undefined;
  }

  /** Of what each stretch has, that of those which are told: all up to the first that did not pass. */
  told<One>(ofStretches: readonly One[]): readonly One[] {
    const end = this.#shares.findIndex(({ outcome }) => outcome !== "passed");
    return ofStretches.slice(0, end < 0 ? undefined : end + 1);
  }
}

/** Where nobody asks for more, searches are to wait for an implementation no longer than about this, in ms. */
const MOST_SEARCH_MS = 120_000;
/** A search that tries less than this is hardly one. */
const LEAST_SHARE = 1 / 16;

/**
 * How much of the searches an implementation has the time for.
 * @param times what its first requests took
 * @param requests how many the whole of the searches takes
 * @param sideBySideMs in how many ms each was answered where several services were asked at once, if they were
 * @returns undefined where it is all of them
 */
export function searchShare(
  times: readonly OperationTime[],
  requests: number,
  sideBySideMs = Number.POSITIVE_INFINITY,
): SearchShare | undefined {
  const requestMs = usualRequestMs(times);
  if (requestMs === undefined) return undefined;
  const allMs = requests * Math.min(requestMs, sideBySideMs);
  let share = 1;
  while (share > LEAST_SHARE && share * allMs > MOST_SEARCH_MS) share /= 2;
  return share === 1 ? undefined : { share, requestMs: Number(requestMs.toPrecision(2)) };
}

/** The searches of a run, so much less of them. */
export function reduced(amount: SearchAmount, { share }: SearchShare): SearchAmount {
  const { steps = EXHAUSTIVE_STEPS } = amount.budget ?? {};
  const fewer = (number: number) => Math.ceil(number * share);
  return { ...amount, runs: fewer(amount.runs), budget: { ...amount.budget, steps: fewer(steps) } };
}
