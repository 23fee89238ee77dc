/** Joins the reports of all shards of a run. */
import { DataError } from "../contract/data-file.ts";
import { conclude } from "../run/verdict.ts";
import { countTests, type ReportData, type ResultData, type RuleData, readingsOf } from "./data.ts";

/** The report of one shard, and its file. */
interface ShardReport {
  readonly file: string;
  readonly data: ReportData;
}

/** Values that must be equal in all shards of a run, with their names in messages. */
const COMMON: readonly (readonly [name: string, of: (data: ReportData) => unknown])[] = [
  ["the version of the kit", ({ kit }) => kit],
  ["the digest of the suite", ({ run }) => run.suite.digest],
  ["the service", ({ service: { name, version } }) => `${name} ${version}`],
  ["the transport", ({ service }) => service.transport],
  ["--seed", ({ run }) => run.seed],
  ["--only", ({ run }) => run.selection?.only?.join(" ") ?? "absent"],
  ["the number of shards", ({ run }) => run.selection?.shard?.split("/")[1] ?? "absent"],
];

/** @throws {DataError} if the reports are not those of all shards of one run */
function checkShards(shards: readonly ShardReport[]): void {
  for (const { file, data } of shards)
    if (data.run.selection?.shard === undefined)
      throw new DataError(`${file}: not the report of a shard; create each report with --shard I/N`);
  const [first, ...others] = shards as readonly [ShardReport, ...ShardReport[]];
  for (const { file, data } of others)
    for (const [name, of] of COMMON)
      if (of(data) !== of(first.data))
        throw new DataError(`${file}: ${name} is ${of(data)}, but ${of(first.data)} in ${first.file}`);
  const fileOf = new Map<string, string>();
  for (const { file, data } of shards) {
    const shard = data.run.selection?.shard ?? "";
    const other = fileOf.get(shard);
    if (other !== undefined) throw new DataError(`${file}: shard ${shard} is also in ${other}; remove one`);
    fileOf.set(shard, file);
  }
  const count = Number([...fileOf.keys()][0]?.split("/")[1]);
  const all = Array.from({ length: count }, (_, index) => `${index + 1}/${count}`);
  const missing = all.filter((shard) => !fileOf.has(shard));
  if (missing.length > 0) throw new DataError(`the report of shard ${missing.join(", ")} is missing; add it`);
}

/**
 * Joins the reports of all shards into the report of the whole run.
 * @param shards at least one
 * @param suite all tests, in the order of a run
 * @throws {DataError} if the reports are not those of all shards of one run
 */
export function mergeReports(
  shards: readonly ShardReport[],
  suite: readonly Pick<ResultData, "id" | "rules">[],
): ReportData {
  checkShards(shards);
  const parts = shards.map(({ data }) => data);
  const [first] = parts as [ReportData, ...ReportData[]];
  const sum = (of: (data: ReportData) => number) => parts.reduce((total, part) => total + of(part), 0);
  const byId = new Map(parts.flatMap(({ results }) => results).map((result) => [result.id, result]));
  const results = suite.flatMap(({ id }) => byId.get(id) ?? []);
  const errors = suite.filter(({ id }) => byId.get(id)?.outcome === "error");
  const rules = first.rules.map(({ id }) => {
    const verdicts = parts.flatMap((part) => part.rules.find((rule) => rule.id === id) ?? []);
    const error = errors.find((test) => test.rules.includes(id));
    return mergeRule(verdicts, error && byId.get(error.id));
  });
  const ended = parts.find(({ run }) => run.ended !== undefined)?.run.ended;
  const { selection: { shard: _, ...selection } = {}, ...run } = first.run;
  const isWhole = Object.keys(selection).length === 0;
  // Shards can have seen the same responses, so their numbers of distinct responses cannot be added.
  const { search: _search, ...common } = first;
  return {
    ...common,
    run: {
      ...run,
      ...(!isWhole && { selection }),
      selected: sum((part) => part.run.selected),
      requests: sum((part) => part.run.requests),
      durationMs: Math.max(...parts.map((part) => part.run.durationMs)),
      ...(ended && { ended }),
    },
    verdict: conclude(rules, results, { isWhole, ...(ended && { ended }) }),
    tests: countTests(results),
    rules,
    results,
    behavior: mergeBehavior(parts),
  };
}

/** @param error a test of the rule that ended in an error, if any */
function mergeRule(verdicts: readonly RuleData[], error: ResultData | undefined): RuleData {
  const [first] = verdicts as readonly [RuleData];
  const find = (outcome: RuleData["outcome"]) => verdicts.find((one) => one.outcome === outcome);
  const violations = verdicts.reduce((sum, one) => sum + (one.violations ?? 0), 0);
  const decided = find("violated") ?? find("not-observable");
  if (decided !== undefined) return { ...decided, ...(violations > 0 && { violations }) };
  if (error !== undefined) return { ...first, outcome: "not-tested", reason: `${error.id}: ${error.reason}` };
  const isPlayed = ({ reason = "" }: RuleData) => reason.includes(": ");
  return find("satisfied") ?? verdicts.find(isPlayed) ?? first;
}

function mergeBehavior(parts: readonly ReportData[]): ReportData["behavior"] {
  const points = [...new Set(parts.flatMap(({ behavior }) => Object.keys(behavior)))].sort();
  const allReadings = (point: string) => new Set(parts.flatMap((part) => readingsOf(part, point) ?? []));
  return Object.fromEntries(points.map((point) => [point, [...allReadings(point)].sort()]));
}
