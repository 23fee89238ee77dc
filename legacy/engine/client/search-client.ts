import fc from "fast-check";
import type { Failure, Result } from "../play/result.ts";
import type { Stretch } from "../run/shard.ts";
import { distinctSeen } from "../search/distinct-seen.ts";
import { seedOf } from "../search/seed.ts";
import type { ClientContract, ClientSearch } from "./client-contract.ts";
import type { ClientVector } from "./client-vector.ts";
import { clientVectorOf } from "./load-client-suites.ts";
import type { ClientPlayed } from "./play-client-vector.ts";
import { searchId, untriedSearch } from "./search-result.ts";
import { writeClientSuite } from "./write-client-suite.ts";

/** What a vector says, as a suite has it. */
type Entry = Readonly<Record<string, unknown>>;

/** What a search is done with. */
export interface ClientSearching {
  readonly contract: ClientContract;
  readonly search: ClientSearch;
  readonly seed: number;
  /** Which of the cases that belong to the seed. */
  readonly cases: Stretch;
  /** How many vectors may be played side by side. */
  readonly jobs: number;
  readonly play: (vector: ClientVector) => Promise<Pick<ClientPlayed, "result" | "cut">>;
}

/** How much is done to make a failing case small: a vector that is played costs one, a task that is cut off as much as many. */
const SHRINKING = { most: 200, cut: 60 } as const;

/**
 * Plays random cases, and tells the smallest found that breaks a rule, as a vector that shows it again. The same seed draws
 * the same cases. Rejects as `play` does.
 */
export async function searchClient(searching: ClientSearching): Promise<Result> {
  const { search, seed, cases, jobs, play } = searching;
  const drawn = await search.entries();
  const draw = { seed: seedOf(seed, search.name), numRuns: cases.count, path: String(cases.from) };
  const playEntry = (entry: Entry) => play(written(entry, search.rules, searching).vector);
  // All are played side by side; the first that fails is played again, alone, to make it small.
  const ahead = await playAhead(fc.sample(drawn, draw), jobs, playEntry);
  const results = ahead.flatMap((played) => (played === undefined ? [] : [played.result]));
  const broke = results.find(({ outcome }) => outcome === "error");
  if (broke !== undefined) {
    const { breakage } = broke;
    return {
      ...untriedSearch(search, "error", broke.reason),
      ...(breakage === undefined ? {} : { breakage }),
    };
  }
  const first = results.find((result) => brokenIn(result).length > 0);
  if (first === undefined) return { ...untriedSearch(search, "passed"), ...distinctSeen(results) };
  const found = await smallest(drawn, draw, { search, ahead, playEntry });
  if (found === undefined) return failed(search, results, first, brokenIn(first));
  const { entry, rule } = found;
  const { text, vector } = written(entry, [rule], searching);
  const shown = (await play(vector)).result;
  const failures = brokenIn(shown).filter((failure) => failure.rule === rule);
  const told = failures.length > 0 ? failures : brokenIn(first);
  return { ...failed(search, [...results, shown], shown, told), vector: text };
}

/** What a search says that found something: the first failure, with the exchanges of the case that shows it. */
function failed(
  search: ClientSearch,
  results: readonly Result[],
  { trace }: Result,
  failures: readonly Failure[],
): Result {
  return {
    ...untriedSearch(search, "failed"),
    ...distinctSeen(results),
    rules: [...new Set([...search.rules, ...failures.slice(0, 1).map(({ rule }) => rule)])],
    failures: failures.slice(0, 1),
    trace,
  };
}

/** A drawn case as a suite of one vector. */
function written(entry: Entry, rules: readonly string[], { search, contract }: ClientSearching) {
  const title = search.title;
  const text = writeClientSuite(search.name, [{ id: "found", title, rules, ...entry }]);
  return { text, vector: clientVectorOf(text, searchId(search), contract) };
}

type Played = Awaited<ReturnType<ClientSearching["play"]>>;

/** Plays all side by side, up to the first that fails: what comes after it need not be played. */
async function playAhead(
  entries: readonly Entry[],
  jobs: number,
  playEntry: (entry: Entry) => Promise<Played>,
): Promise<readonly (Played | undefined)[]> {
  const played: (Played | undefined)[] = entries.map(() => undefined);
  let [next, end] = [0, entries.length];
  const lane = async () => {
    for (let place = next++; place < end; place = next++) {
      const one = await playEntry(entries[place] as Entry);
      played[place] = one;
      if (isBad(one.result)) end = Math.min(end, place);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: jobs }, lane));
  const broken = lanes.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return played;
}

/** A case that failed, with what it broke. */
interface Found {
  readonly entry: Entry;
  readonly rule: string;
}

/** What cases are made small with. */
interface Shrinking {
  readonly search: ClientSearch;
  readonly ahead: readonly (Played | undefined)[];
  readonly playEntry: (entry: Entry) => Promise<Played>;
}

/** The first case that fails, made small as long as it breaks the same rule; undefined where it fails no more. */
async function smallest(
  drawn: fc.Arbitrary<Entry>,
  draw: fc.Parameters<[Entry]>,
  { search, ahead, playEntry }: Shrinking,
): Promise<Found | undefined> {
  let found: Found | undefined;
  let next = 0;
  let spent = 0;
  /** Whether a case fails in the way that was found, if one was. */
  const fails = async (entry: Entry) => {
    if (spent >= SHRINKING.most) return false;
    const { result, cut } = await playEntry(entry);
    spent += cut === undefined ? 1 : SHRINKING.cut;
    const broken = brokenIn(result);
    // What shrinks must stay the same fault: a case that breaks another rule counts as none.
    const failure = found === undefined ? broken[0] : broken.find(({ rule }) => rule === found?.rule);
    if (failure !== undefined) found = { entry, rule: failure.rule };
    return failure !== undefined;
  };
  const property = fc.asyncProperty(drawn, async (entry) => {
    const known = ahead[next++]?.result;
    if (found === undefined && known !== undefined && !isBad(known)) return true;
    return !(await fails(entry));
  });
  await fc.check(property, draw);
  while (await simplified(found, search, fails));
  return found;
}

/** Whether something that says less than what was found fails as well. */
async function simplified(
  found: Found | undefined,
  search: ClientSearch,
  fails: (entry: Entry) => Promise<boolean>,
): Promise<boolean> {
  for (const simpler of found === undefined ? [] : search.simpler(found.entry))
    if (await fails(simpler)) return true;
  return false;
}

/** All that a case broke, its own rules first. */
function brokenIn({ failures, incidental }: Result): readonly Failure[] {
  return [...failures, ...incidental];
}

function isBad(result: Result): boolean {
  return result.outcome === "error" || brokenIn(result).length > 0;
}
