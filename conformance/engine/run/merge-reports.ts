import { DataError } from "../data/data-error.ts";
import { PROBE_IDS } from "../play/measured.ts";
import type { TimeFacts } from "./activity.ts";
import { attributeFailures, tellsAnything } from "./attribute-failures.ts";
import { mergeTimes } from "./latencies.ts";
import { mergeResults } from "./merge-results.ts";
import {
  factsIn,
  isExpected,
  type Report,
  type RunOutcome,
  type SearchFacts,
  type ShardFacts,
} from "./report.ts";
import { sumOfRequests } from "./request-counts.ts";

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
