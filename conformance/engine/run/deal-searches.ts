import { DEFAULT_DEPTH, DEFAULT_RUNS } from "../search/default-runs.ts";
import type { Parts, Shard } from "./shard.ts";

/** What one part of a run does of its searches. */
export interface Deal {
  /** Its stretch of the random cases, and of every sequence; all where it is not told. */
  readonly atRandom?: Parts;
  readonly everySequence?: Parts;
  /** Whether it searches before it plays vectors. */
  readonly searchesFirst: boolean;
}

/** What the deal hangs on, which is the same for all parts but for `shard`. */
export interface Dealt {
  readonly shard?: Shard;
  /** Whether whoever is free plays the next vector. */
  readonly vectorsAsTheyCome: boolean;
  /** How many services each part asks at once. */
  readonly lanes: number;
  readonly runs: number;
  readonly exhaustive?: number;
}

/** One of endlessly many: its stretch of anything is empty. */
const NOTHING: Shard = { index: 1, of: Number.POSITIVE_INFINITY };

/** Of the random cases, who tries every sequence has one part, and who does not so many: both take as long. */
const PARTS_AT_RANDOM = 3;

/**
 * Deals the searches out. Of threads that share one usual run, every other tries every sequence, and the others nearly all
 * random cases. They begin with it; vectors, which come to whoever is free, make up for the odds.
 * Everything else is dealt out in equal stretches, after the vectors: what more is asked for may be of one kind, and
 * where several services are asked at once, vectors tell first how many are good.
 */
export function dealSearches({ shard, vectorsAsTheyCome, lanes, runs, exhaustive = 0 }: Dealt): Deal {
  if (shard === undefined) return { searchesFirst: false };
  const isUsual = runs <= DEFAULT_RUNS && exhaustive <= DEFAULT_DEPTH;
  if (!vectorsAsTheyCome || lanes > 1 || shard.of === 1 || !isUsual)
    return { atRandom: shard, everySequence: shard, searchesFirst: false };
  const isAtRandom = shard.index % 2 === 0;
  return {
    atRandom: {
      index: partsOf(shard.index - 1) + 1,
      of: partsOf(shard.of),
      parts: isAtRandom ? PARTS_AT_RANDOM : 1,
    },
    everySequence: isAtRandom ? NOTHING : { index: Math.ceil(shard.index / 2), of: Math.ceil(shard.of / 2) },
    searchesFirst: true,
  };
}

/** Parts of the random cases that the first so many threads have. */
function partsOf(threads: number): number {
  return Math.ceil(threads / 2) + PARTS_AT_RANDOM * Math.floor(threads / 2);
}
