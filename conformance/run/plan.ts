/** Chooses the vectors of a run, and their order. */
import { hash } from "node:crypto";
import { createRequire } from "node:module";
import type { Contract } from "../contract/contract.ts";
import { DataError } from "../data/data-file.ts";
import { escapeText, nearest } from "../data/text.ts";
import { entryId, isVector, type Step, type Test } from "../suite/vector.ts";

/** The part of the suite that a run plays: the vectors that satisfy all given members. */
export interface Selection {
  /** Path of a file whose vectors are played in place of the suite. */
  readonly file?: string;
  /** Globs of vector IDs. */
  readonly only?: readonly string[];
  /** A report, and the IDs of its vectors that failed, ended in an error, or showed a violation. */
  readonly failed?: { readonly file: string; readonly ids: ReadonlySet<string> };
  /** Part `index` of the suite, which is divided into `count` parts. The first index is 1. */
  readonly shard?: { readonly index: number; readonly count: number };
}

/** The part of the suite that a run played. Other runs play the other shards. */
export type Part = "all tests" | "one shard" | "selected tests";

/** Returns the part of the suite that a selection chooses. @param isAll whether it chooses every test */
export function partOf(
  { file, failed, shard }: { readonly [Name in keyof Selection]?: unknown },
  isAll: boolean,
): Part {
  if (isAll && file === undefined) return "all tests";
  return shard !== undefined && file === undefined && failed === undefined ? "one shard" : "selected tests";
}

/**
 * Returns the selected vectors, in the order of the suite.
 * @throws {DataError} if a glob or the whole selection selects nothing
 */
export function selectVectors<One extends Test>(
  vectors: readonly One[],
  selection: Selection,
): readonly One[] {
  const { only = [], failed, shard } = selection;
  if (failed?.ids.size === 0)
    throw new DataError(`--failed ${failed.file}: the report has no failed test; run without --failed`);
  const known = new Set(vectors.map(({ id }) => id));
  const unplayable = [...(failed?.ids ?? [])].find((id) => !known.has(id));
  if (unplayable !== undefined)
    throw new DataError(
      `--failed ${failed?.file}: ${escapeText(unplayable, 80)} is not a test of this run; run without --failed`,
    );
  const selected = matchGlobs(vectors, only).filter(
    ({ id }) => (failed?.ids.has(id) ?? true) && (!shard || isInShard(id, shard)),
  );
  if (selected.length === 0)
    throw new DataError("no vector satisfies --only, --failed, and --shard together; remove one of them");
  return selected;
}

/** Returns whether a vector is in a shard. Its shard stays the same when other vectors are added. */
export function isInShard(id: string, { index, count }: NonNullable<Selection["shard"]>): boolean {
  return hash("sha256", id, "buffer").readUInt32BE() % count === index - 1;
}

/**
 * Returns the vectors that a glob matches by AREA/ID/CASE, or by AREA/ID. Without globs, returns all.
 * @throws {DataError} if a glob matches no vector
 */
export function matchGlobs<One extends Test>(
  vectors: readonly One[],
  globs: readonly string[],
): readonly One[] {
  if (globs.length === 0) return vectors;
  const matched = globs.map((glob) => {
    const matches = globMatcher("--only", glob);
    const found = vectors.filter((test) => matches(test.id) || matches(entryId(test)));
    if (found.length > 0) return found;
    throw new DataError(`--only ${glob}: no vector or property matches; ${hintFor(glob, vectors)}`);
  });
  const chosen = new Set(matched.flat());
  return vectors.filter((vector) => chosen.has(vector));
}

/**
 * Returns a function that matches IDs with a glob.
 * @param option option that gives the glob, for messages
 * @throws {DataError} if the glob is empty or too long
 */
export function globMatcher(option: string, glob: string): (id: string) => boolean {
  if (glob === "") throw new DataError(`${option} must be a glob of IDs, got an empty text`);
  if (glob.length > MAX_GLOB_LENGTH)
    throw new DataError(
      `${option} must be a glob of at most ${MAX_GLOB_LENGTH} characters, got ${glob.length}`,
    );
  if (PLAIN_ID.test(glob)) return (id) => id === glob;
  const picomatch: typeof import("picomatch") = require("picomatch");
  const matches = picomatch(glob);
  return (id) => matches(id);
}

const require = createRequire(import.meta.url);
/** A glob that matches only itself. It needs no picomatch, which loads slowly. */
const PLAIN_ID = /^[\w-]+(?:\/[\w-]+)*$/;
/** Far longer than any ID. */
const MAX_GLOB_LENGTH = 1_000;

function hintFor(glob: string, vectors: readonly Test[]): string {
  const names = vectors.map(({ id }) => id.split("/"));
  const known = new Set(names.flatMap(([area, name]) => [`${area}/*`, `${area}/${name}`]));
  const meant = [...known].find((id) => id.startsWith(glob)) ?? nearest(glob, known);
  return meant === undefined ? 'run "list" for IDs' : `did you mean "${meant}"?`;
}

/** Returns a digest of the content of vectors, which identifies a suite. Ignores their places in files. */
export function digestOf(vectors: readonly Test[]): string {
  const texts = vectors.map((vector) => JSON.stringify(vector).replace(PLACE, ""));
  return hash("sha256", texts.join("")).slice(0, 16);
}

/** A place in the JSON text of a vector. Within a text, JSON escapes the quotation marks. */
const PLACE = /"place":\{"file":"(?:[^"\\]|\\.)*","line":\d+\},?/g;

/** Returns how long a test waits on a real clock, in ms, if requests take no time. */
export function waitMsOf(test: Test): number {
  const timeOf = new Map<string, number>();
  let nowMs = 0;
  const follow = (some: readonly Step[]): void => {
    for (const step of some) {
      if (step.verb === "advance") {
        const { since, ms } = step.by;
        nowMs = Math.max(nowMs, (since === undefined ? nowMs : (timeOf.get(since) ?? nowMs)) + ms);
      } else if ("steps" in step) for (let round = 0; round < step.times; round++) follow(step.steps);
      if (step.as !== undefined) timeOf.set(step.as, nowMs);
    }
  };
  if (isVector(test)) follow(test.steps);
  return nowMs;
}

/**
 * Ranks tests by how soon a server needs to play them that may have too few places for all tests. The first are
 * tests of few requests that together name all required rules, then one case of each vector, then all others.
 * @param isPlayable whether a test can be played
 */
export function ranksOf(
  contract: Contract,
  tests: readonly Test[],
  isPlayable: (test: Test) => boolean,
): ReadonlyMap<Test, number> {
  const isRequired = (id: string) => contract.rules.get(id)?.level === "required";
  const ranks = new Map<Test, number>();
  const named = new Set<string>();
  const entries = new Set<string>();
  const sorted = tests.filter(isPlayable).sort((one, other) => requestsOf(one) - requestsOf(other));
  for (const test of sorted) {
    const { rules } = test;
    if (rules.some((id) => isRequired(id) && !named.has(id))) ranks.set(test, 0);
    for (const id of rules) named.add(id);
    if (ranks.has(test)) entries.add(entryId(test));
  }
  for (const test of sorted) {
    if (!entries.has(entryId(test))) ranks.set(test, 1);
    entries.add(entryId(test));
  }
  return ranks;
}

/** Rank of all other tests. */
export const LAST_RANK = 2;

/** Returns the approximate number of requests of a test. Unlimited for a property. */
function requestsOf(test: Test): number {
  const count = (steps: readonly Step[]): number =>
    steps.reduce((sum, step) => sum + ("steps" in step ? step.times * count(step.steps) : 1), 0);
  return isVector(test) ? count(test.steps) : Number.POSITIVE_INFINITY;
}
