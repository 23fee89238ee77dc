/** The searches of a run. */
import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { ExhaustiveOutcome, Searches, SearchProgress, Stage } from "../contract.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { EXHAUSTIVE_STEPS } from "../search/default-runs.ts";
import { brokenSearch } from "../search/exhaustive.ts";
import type { Ground, Grounds } from "../search/grounds.ts";
import { propertyId } from "../search/property-result.ts";
import { runProperties } from "../search/run-properties.ts";
import type { Vector } from "../vectors/vector.ts";
import type { Chosen } from "./choose.ts";
import type { Deal } from "./deal-searches.ts";
import type { SearchFacts } from "./report.ts";
import type { SearchShare } from "./search-share.ts";

/** What searches may spend of a slow implementation's time, in what they ask of it: never in time, which differs. */
export interface SearchBudget {
  /** Steps of the exhaustive search, of all shards together. */
  readonly steps?: number;
  /** Requests of each random case. */
  readonly requestsOfCase?: number;
}

/** How much is searched. */
export interface SearchAmount {
  /** Random cases that each property tries. */
  readonly runs: number;
  readonly budget?: SearchBudget;
  /** Length of the sequences of which every one is tried. */
  readonly exhaustive?: number;
  readonly onSearch?: (progress: SearchProgress) => void;
  readonly time: RealTime;
}

/** What there is to search, and which of it was chosen. */
export interface SearchWork {
  readonly chosen: Pick<Chosen<Vector>, "properties">;
  readonly searches: Searches | undefined;
}

/** What is searched, and who looks on. */
export interface Searching {
  readonly info: ImplementationInfo;
  readonly stage: Stage;
  readonly watch: {
    /** Why to stop, once there is a reason. */
    readonly stopped: () => string | undefined;
    readonly onResult: (result: Result) => void;
  };
  readonly grounds: Grounds;
  readonly deal: Deal;
}

/** The searches of a run, so much less of them. */
export function reduced(
  { runs, budget }: Pick<SearchAmount, "runs" | "budget">,
  { share }: SearchShare,
): Pick<SearchAmount, "runs" | "budget"> {
  const { steps = EXHAUSTIVE_STEPS } = budget ?? {};
  const fewer = (number: number) => Math.ceil(number * share);
  return { runs: fewer(runs), budget: { ...budget, steps: fewer(steps) } };
}

/** Tries the chosen properties, each with random cases. */
export async function searchAtRandom(
  { runs, budget }: Pick<SearchAmount, "runs" | "budget">,
  { chosen, searches }: SearchWork,
  { info, stage, watch, grounds, deal: { atRandom } }: Searching,
): Promise<readonly Result[]> {
  if (runs === 0 || searches === undefined) return [];
  return runProperties({
    properties: searches.properties,
    grounds,
    info,
    stage,
    runs,
    ...(budget?.requestsOfCase === undefined ? {} : { requestsOfCase: budget.requestsOfCase }),
    ...(atRandom === undefined ? {} : { shard: atRandom }),
    chosen: (id) => chosen.properties.has(id),
    stopped: watch.stopped,
    onResult: watch.onResult,
  });
}

/** Tries every sequence, where that was chosen. */
export async function searchExhaustively(
  { exhaustive: depth, onSearch, time, budget }: Omit<SearchAmount, "runs">,
  { searches, chosen }: SearchWork,
  { info, stage, watch, grounds, deal: { everySequence: shard } }: Searching,
): Promise<{ readonly outcome: ExhaustiveOutcome; readonly facts: SearchFacts } | undefined> {
  if (depth === undefined || searches === undefined) return undefined;
  if (!chosen.properties.has(propertyId(searches.exhaustive))) return undefined;
  const { steps: mostSteps } = budget ?? {};
  const startedAt = time.now();
  const { exhaustive } = searches;
  const attempt = (ground: Ground) =>
    exhaustive.search({
      ...ground,
      info,
      stage,
      depth,
      ...(mostSteps === undefined ? {} : { mostSteps: Math.ceil(mostSteps / (shard?.of ?? 1)) }),
      ...(shard === undefined ? {} : { shard }),
      stopped: watch.stopped,
      ...(onSearch === undefined ? {} : { onProgress: onSearch }),
    });
  const outcome = await grounds.search(attempt, (fault) => brokenSearch(exhaustive, fault));
  const { sequences, leftOut, ofSequences, steps } = outcome;
  const durationMs = Math.round(time.now() - startedAt);
  return { outcome, facts: { depth, sequences, leftOut, ofSequences, steps, durationMs } };
}
