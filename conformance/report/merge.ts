/** Joins the reports of all shards of a run. */
import type { Contract } from "../contract/contract.ts";
import { DataError } from "../data/data-file.ts";
import { mergePeaks } from "../play/occupancy.ts";
import { digestOf, isInShard, partOf } from "../run/plan.ts";
import { conclude, doubtOf } from "../run/verdict.ts";
import type { Test } from "../suite/vector.ts";
import {
  countTests,
  type PolicyData,
  type ReportData,
  type ResultData,
  type RuleData,
  readingsOf,
} from "./data.ts";
import { withPolicy } from "./policies.ts";

interface ShardReport {
  readonly file: string;
  readonly data: ReportData;
}

/** The rules, open points, and tests for services, or those for clients. */
export interface Kit {
  readonly contract: Contract;
  readonly vectors: readonly Test[];
  /** Vectors and properties. */
  readonly tests: readonly Test[];
}

/** Values that must be equal in all shards of a run, with their names in messages. */
const COMMON: readonly (readonly [name: string, of: (data: ReportData) => unknown])[] = [
  ["the version of the kit", ({ kit }) => kit],
  ["the digest of the suite", ({ run }) => run.suite.digest],
  ["the service", ({ service: { name, version } }) => `${name} ${version}`],
  ["the transport", ({ service }) => service.transport],
  ["the digest of the facts", ({ service }) => service.factsDigest ?? "absent"],
  ["--seed", ({ run }) => run.seed],
  ["--runs", ({ run }) => run.runs],
  ["--only", ({ run }) => run.selection?.only?.join(" ") ?? "absent"],
  ["the command", ({ run }) => run.command ?? "absent"],
  ["the list of policies", ({ policies = [] }) => policies.map(({ policy }) => policy).join(" ") || "empty"],
  ["the number of shards", ({ run }) => run.selection?.shard?.split("/")[1] ?? "absent"],
];
/** Maximum number of missing shards in a message. */
const MAX_LISTED = 5;

/** @throws {DataError} if the reports are not those of all shards of one run of the suite */
function checkShards(shards: readonly ShardReport[], kit: Kit): void {
  const fail = (message: string): never => {
    throw new DataError(message);
  };
  const digest = digestOf(kit.vectors);
  for (const { file, data } of shards) {
    const { shard, failed, file: replayed } = data.run.selection ?? {};
    if (shard === undefined || replayed !== undefined)
      fail(`${file}: not the report of a shard; create each report with --shard I/N`);
    if (failed !== undefined) fail(`${file}: made with --failed; run the shard again without it`);
    if (data.run.suite.digest !== digest)
      fail(`${file}: made with another suite; use the version of the kit that made it: ${data.kit}`);
  }
  const [first, ...others] = shards as readonly [ShardReport, ...ShardReport[]];
  for (const { file, data } of others)
    for (const [name, of] of COMMON)
      if (of(data) !== of(first.data))
        fail(`${file}: ${name} is ${of(data)}, but ${of(first.data)} in ${first.file}`);
  const fileOf = new Map<string, string>();
  for (const { file, data } of shards) {
    const shard = data.run.selection?.shard ?? "";
    const other = fileOf.get(shard);
    if (other !== undefined) fail(`${file}: shard ${shard} is also in ${other}; remove one`);
    fileOf.set(shard, file);
  }
  const count = Number([...fileOf.keys()][0]?.split("/")[1]);
  const all = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const missing = all.filter((shard) => !fileOf.has(shard));
  const more = missing.length > MAX_LISTED ? `, and ${missing.length - MAX_LISTED} more` : "";
  if (missing.length > 0)
    fail(`the report of shard ${missing.slice(0, MAX_LISTED).join(", ")}${more} is missing; add it`);
  for (const shard of shards) checkContent(shard, kit);
}

/** @throws {DataError} if a shard does not have one result for each of its tests, and one outcome for each rule */
function checkContent({ file, data }: ShardReport, kit: Kit): void {
  const fail = (reason: string): never => {
    throw new DataError(`${file}: ${reason}; run the shard again`);
  };
  const { selection, selected, ended } = data.run;
  const [index = 0, count = 0] = (selection?.shard ?? "").split("/").map(Number);
  const all = playedTests(data, kit).map(({ id }) => id);
  const own = new Set(all.filter((id) => isInShard(id, { index, count })));
  const ids = new Set(data.results.map(({ id }) => id));
  const other = [...ids].find((id) => !own.has(id));
  if (other !== undefined) fail(`${other} is not a test of shard ${index}/${count}`);
  const expected = selection?.only === undefined ? own.size : selected;
  if (ids.size !== data.results.length || ids.size > expected) fail("a test has two results");
  if (ids.size < expected && ended === undefined)
    fail(`no result for ${expected - ids.size} of ${expected} tests`);
  const missing = [...kit.contract.rules.keys()].find((rule) => data.rules.every(({ id }) => id !== rule));
  if (missing !== undefined) fail(`${missing} has no outcome`);
}

/** Returns the tests of a run without a selection. */
function playedTests({ side, run }: ReportData, { vectors, tests }: Kit): readonly Test[] {
  return side === undefined && run.runs === 0 ? vectors : tests;
}

/**
 * Joins the reports of all shards into the report of the whole run. The run is whole if each test of the suite
 * has a result.
 * @param shards at least one
 * @param kit the rules and tests that the shards must have played, in the order of a run
 * @throws {DataError} if the reports are not those of all shards of one run of the suite
 */
export function mergeReports(shards: readonly ShardReport[], kit: Kit): ReportData {
  checkShards(shards, kit);
  const parts = shards.map(({ data }) => data);
  const [first] = parts as [ReportData, ...ReportData[]];
  const sum = (of: (data: ReportData) => number) => parts.reduce((total, part) => total + of(part), 0);
  const byId = new Map(parts.flatMap(({ results }) => results).map((result) => [result.id, result]));
  const partOfTest = new Map(parts.flatMap((part) => part.results.map(({ id }) => [id, part] as const)));
  const results = kit.tests.flatMap(({ id }) => byId.get(id) ?? []);
  const limits = mergePeaks(parts.map(({ run }) => run.limits ?? {}));
  const doubtsOf = (result: ResultData) => {
    const doubt = result.doubt ?? doubtOf(result, limits);
    return doubt === undefined ? [] : [`${result.id}: ${doubt}`];
  };
  const rules = [...kit.contract.rules.keys()].map((id) => {
    const verdicts = parts.flatMap((part) => part.rules.find((rule) => rule.id === id) ?? []);
    const tests = results.filter((result) => result.rules.includes(id));
    const error = tests.find(({ outcome }) => outcome === "error");
    const playing = [...new Set(tests.flatMap((test) => partOfTest.get(test.id) ?? []))];
    const played = playing.flatMap((part) => part.rules.find((rule) => rule.id === id) ?? []);
    return mergeRule(verdicts, played, error, tests.flatMap(doubtsOf)[0]);
  });
  const ended = parts.find(({ run }) => run.ended !== undefined)?.run.ended;
  const { selection: { only } = {}, ...run } = first.run;
  const part = partOf({ only }, only === undefined || results.length === playedTests(first, kit).length);
  // Shards can have seen the same responses, so their numbers of distinct responses cannot be added.
  const { search: _search, policies: _policies, ...common } = first;
  const merged: ReportData = {
    ...common,
    run: {
      ...run,
      ...(only && { selection: { only } }),
      ...(Object.keys(limits).length > 0 && { limits }),
      selected: sum((part) => part.run.selected),
      requests: sum((part) => part.run.requests),
      durationMs: Math.max(...parts.map((part) => part.run.durationMs)),
      ...(ended && { ended }),
    },
    verdict: conclude(rules, results, { part, ...(ended && { ended }) }),
    tests: countTests(results),
    rules,
    results,
    behavior: mergeBehavior(parts),
  };
  return mergePolicies(parts).reduce(withPolicy, merged);
}

/** Joins the results of each policy. All parts have the same policies. */
function mergePolicies(parts: readonly ReportData[]): readonly PolicyData[] {
  return (parts[0]?.policies ?? []).map(({ policy }, index) => {
    const all = parts.flatMap(({ policies = [] }) => policies[index] ?? []);
    const summary = [...new Set(all.map((one) => one.summary))].join("; ");
    return { policy, summary, problems: all.flatMap(({ problems }) => problems) };
  });
}

/**
 * @param verdicts one of each shard
 * @param played those of the shards that played tests of the rule, in the order of the tests
 * @param error a test of the rule that ended in an error, if any
 * @param doubt why the rule counts as not tested, whichever other tests it has, if so
 */
function mergeRule(
  verdicts: readonly RuleData[],
  played: readonly RuleData[],
  error: ResultData | undefined,
  doubt: string | undefined,
): RuleData {
  const [first] = verdicts as readonly [RuleData];
  const find = (outcome: RuleData["outcome"]) => verdicts.find((one) => one.outcome === outcome);
  const violations = verdicts.reduce((sum, one) => sum + (one.violations ?? 0), 0);
  const decided = find("violated") ?? find("not-observable");
  if (decided !== undefined) return { ...decided, ...(violations > 0 && { violations }) };
  if (doubt !== undefined) {
    const { isAllowed: _, ...rule } = first;
    const isAllowed = verdicts.every((one) => one.isAllowed);
    return { ...rule, outcome: "not-tested", reason: doubt, ...(isAllowed && { isAllowed }) };
  }
  if (error !== undefined) return { ...first, outcome: "not-tested", reason: `${error.id}: ${error.reason}` };
  return find("satisfied") ?? played.find(({ isAllowed }) => isAllowed !== true) ?? played[0] ?? first;
}

function mergeBehavior(parts: readonly ReportData[]): ReportData["behavior"] {
  const points = [...new Set(parts.flatMap(({ behavior }) => Object.keys(behavior)))].sort();
  const allReadings = (point: string) => new Set(parts.flatMap((part) => readingsOf(part, point) ?? []));
  return Object.fromEntries(points.map((point) => [point, [...allReadings(point)].sort()]));
}
