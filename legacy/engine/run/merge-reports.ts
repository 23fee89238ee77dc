import { DataError } from "../data/data-error.ts";
import { PROBE_IDS } from "../play/measured.ts";
import type { Looked, Result } from "../play/result.ts";
import { distinctSeen } from "../search/distinct-seen.ts";
import { sumOfRequests, type TimeFacts } from "./activity.ts";
import { attributeFailures, tellsAnything } from "./attribute-failures.ts";
import { mergeTimes } from "./latencies.ts";
import {
  factsIn,
  isExpected,
  type Report,
  type RunOutcome,
  type SearchFacts,
  type ShardFacts,
} from "./report.ts";

/** A report and the file that it came from. */
export interface ReportFile {
  readonly file: string;
  readonly report: Report;
}

/** The kit that merges: it must be the one that ran, as it judges anew. */
export interface MergingKit {
  readonly version: string;
  /** Digest of its suites. */
  readonly digest: string;
  /** Every id that it has, in the order of one run. */
  readonly order: readonly string[];
}

type Part = ReportFile & { readonly report: Report & { readonly shard: ShardFacts } };

/**
 * Puts the reports of all parts of a run together: what one run would have come to.
 * @throws {DataError} one line, where the reports are not all the parts of one run
 */
export function mergeReports(files: readonly ReportFile[], kit: MergingKit): RunOutcome {
  const [first, ...rest] = files.map(asPart);
  if (first === undefined) throw new DataError("merge", "there is nothing to merge");
  for (const other of rest) checkAlike(first, other);
  const parts = inOrder([first, ...rest]);
  checkKit(first, kit);
  const results = mergeResults(
    parts.map((part) => part.report.results),
    [...kit.order, ...PROBE_IDS],
  );
  const { expected } = first.report.shard;
  const found = results.filter(isExpected).length;
  if (found !== expected)
    throw new DataError("merge", `the parts have ${found} results of ${expected}: one was cut`);
  return {
    results: attributeFailures(results).filter(tellsAnything),
    facts: {
      ...factsIn(first.report),
      durationMs: Math.max(...parts.map((part) => part.report.durationMs)),
      accepted: acceptedByAll(parts),
      ...(parts.some(({ report }) => report.stopped) ? { stopped: true as const } : {}),
      ...timeOf(parts),
      ...searchOf(parts),
    },
  };
}

/** What every part accepts that it is not tried. */
function acceptedByAll(parts: readonly Part[]): ReadonlySet<string> {
  const [first = [], ...others] = parts.map(({ report }) => report.accepted ?? []);
  return new Set(first.filter((name) => others.every((accepted) => accepted.includes(name))));
}

/** What the time of all parts went on, added up. */
function timeOf(parts: readonly Part[]): { readonly time?: TimeFacts } {
  const times = parts.flatMap(({ report }) => report.time ?? []);
  if (times.length === 0) return {};
  const sum = (count: "serviceMs" | "clockMs" | "kitMs" | "playedAgain") =>
    times.reduce((total, part) => total + part[count], 0);
  const operations = mergeTimes(times.flatMap((part) => part.operations));
  return {
    time: {
      serviceMs: sum("serviceMs"),
      clockMs: sum("clockMs"),
      kitMs: sum("kitMs"),
      playedAgain: sum("playedAgain"),
      requests: sumOfRequests(times.map(({ requests }) => requests)),
      operations,
    },
  };
}

/** What the parts of an exhaustive search tried together, where there was one. */
function searchOf(parts: readonly Part[]): { readonly search?: SearchFacts } {
  const searches = parts.flatMap(({ report }) => report.search ?? []);
  const [first] = searches;
  if (first === undefined) return {};
  const sum = (count: "sequences" | "leftOut" | "ofSequences" | "steps") =>
    searches.reduce((total, part) => total + part[count], 0);
  const durationMs = Math.max(...searches.map((part) => part.durationMs));
  return {
    search: {
      depth: first.depth,
      sequences: sum("sequences"),
      leftOut: sum("leftOut"),
      ofSequences: sum("ofSequences"),
      steps: sum("steps"),
      durationMs,
    },
  };
}

function asPart({ file, report }: ReportFile): Part {
  const { shard } = report;
  if (shard === undefined) throw new DataError(file, "is a whole run, made without --shard");
  return { file, report: { ...report, shard } };
}

/** What all parts of a run have in common, by the name under which a difference is told. */
const COMMON: readonly (readonly [name: string, of: (part: Part) => unknown])[] = [
  ["the kit's version", ({ report }) => report.kit.version],
  ["what was judged", ({ report }) => (report.side === "client" ? "a client" : "a service")],
  ["the suite's digest", ({ report }) => report.suite.digest],
  ["the number of shards", ({ report }) => report.shard.of],
  ["the number of results of all shards", ({ report }) => report.shard.expected],
  ["the implementation", ({ report }) => nameOf(report)],
  ["the adapter", ({ report }) => report.adapter],
  ["--seed", ({ report }) => report.seed],
  ["--salt", ({ report }) => report.salt ?? "none"],
  ["--runs", ({ report }) => report.runs],
  ["--exhaustive", ({ report }) => report.search?.depth ?? "none"],
  ["--only", ({ report }) => report.selection?.only.join(" ") ?? "everything"],
];

function checkAlike(one: Part, other: Part): void {
  for (const [name, of] of COMMON) {
    if (of(one) === of(other)) continue;
    throw new DataError(other.file, `${name} is ${of(other)}, and ${of(one)} in ${one.file}`);
  }
}

function nameOf({ implementation: { name, version, language = "" } }: Report): string {
  return `${name} ${version} ${language}`.trim();
}

/** The parts in the order of their shards. */
function inOrder(parts: readonly Part[]): readonly Part[] {
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const { index, of } = part.report.shard;
    const earlier = byIndex.get(index);
    if (earlier !== undefined)
      throw new DataError(part.file, `is shard ${index}/${of}, as ${earlier.file} is`);
    byIndex.set(index, part);
  }
  const of = parts[0]?.report.shard.of ?? 0;
  const missing = Array.from({ length: of }, (_, place) => place + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0) {
    const shown = missing.slice(0, 10).map((index) => `${index}/${of}`);
    const more = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : "";
    throw new DataError("merge", `shard ${shown.join(", ")}${more} is missing`);
  }
  return [...byIndex].sort(([a], [b]) => a - b).map(([, part]) => part);
}

function checkKit({ file, report }: Part, { version, digest }: MergingKit): void {
  const ran = `version ${report.kit.version}, suite ${report.suite.digest.slice(0, 12)}`;
  const merges = `version ${version}, suite ${digest.slice(0, 12)}`;
  if (report.kit.version !== version || report.suite.digest !== digest)
    throw new DataError(file, `was made by another kit (${ran}) than this (${merges}): merge with that one`);
}

/**
 * Puts the results of all parts of a run together, as one run would have given them before failures are
 * attributed.
 * @param parts the results of every shard, in the order of the shards
 * @param order every id that there is, in the order of one run
 */
export function mergeResults(
  parts: readonly (readonly Result[])[],
  order: readonly string[],
): readonly Result[] {
  const shares = new Map<string, Result[]>();
  for (const result of parts.flat()) {
    const { known: _, ...plain } = result;
    const own = shares.get(result.id);
    if (own === undefined) shares.set(result.id, [plain]);
    else own.push(plain);
  }
  return order.flatMap((id) => {
    const [first, ...rest] = shares.get(id) ?? [];
    return first === undefined ? [] : [mergeShares([first, ...rest])];
  });
}

/**
 * One result of those that the shards have of a property. Each tried a stretch of its cases, in order, and one run
 * would have ended at the first that did not pass: what came after is left out.
 */
export function mergeShares(shares: readonly [Result, ...Result[]]): Result {
  const end = shares.findIndex(({ outcome }) => outcome !== "passed");
  const tried = end < 0 ? shares : shares.slice(0, end + 1);
  const last = tried.at(-1) ?? shares[0];
  const judged = last.outcome === "passed" || last.outcome === "failed";
  return judged ? { ...last, ...distinctSeen(tried), ...lookedOf(tried) } : last;
}

/** How deep all of them looked. */
function lookedOf(shares: readonly Result[]): Pick<Result, "looked"> {
  const all = shares.flatMap(({ looked }) => looked ?? []);
  if (all.length === 0) return {};
  const sum = (count: keyof Looked) => all.reduce((total, looked) => total + looked[count], 0);
  return { looked: { sequences: sum("sequences"), requests: sum("requests"), states: sum("states") } };
}
