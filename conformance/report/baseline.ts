/** The baseline: known failures of an implementation, each with a reason. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Document, YAMLMap } from "yaml";
import { yaml } from "../data/data-file.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readChecked, unknown } from "../data/schema-check.ts";
import { plural } from "../data/text.ts";
import type { Result } from "../play/result.ts";
import { type KnownFailure, type ReportData, type ResultData, violatedRules } from "./data.ts";
import { withPolicy } from "./policies.ts";

interface BaselineEntry extends KnownFailure {
  /** ID of the test. */
  readonly id: string;
  /** Rules that the test is allowed to violate (default: any). */
  readonly rules?: readonly string[];
  /** `file:line`. */
  readonly place: string;
}

interface Baseline {
  readonly file: string;
  readonly entries: readonly BaselineEntry[];
}

const SCHEMA = join(DATA_FOLDER, "contract", "baseline.schema.json");

/**
 * Reads a baseline.
 * @throws {DataError} with file:line:column if it does not match its schema, repeats an ID, or has an invalid
 *   date
 */
export function readBaseline(path: string): Baseline {
  const source = readChecked(path, SCHEMA);
  const { known } = source.value as { readonly known: readonly Omit<BaselineEntry, "place">[] | null };
  const ids = new Set<string>();
  const entries = (known ?? []).map((entry, index) => {
    const { id, expires } = entry;
    if (ids.has(id)) source.addFault(["known", index, "id"], `duplicate id "${id}"; remove one`);
    ids.add(id);
    if (expires !== undefined && !isDate(expires))
      source.addFault(["known", index, "expires"], `${expires} is not a valid date`);
    return { ...entry, place: `${source.file}:${source.line(["known", index])}` };
  });
  source.throwFaults();
  return { file: source.file, entries };
}

function isDate(text: string): boolean {
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}

/** Number of problems for which to search the nearest ID. A search takes several milliseconds. */
const MAX_SUGGESTIONS = 20;

/**
 * Marks known failures, which then do not fail the run. An entry is a problem if its failure is gone or its
 * date has passed. Errors are never accepted.
 * @param today date in UTC: `YYYY-MM-DD`
 * @param ids IDs of all tests of the kit
 */
export function applyBaseline(
  data: ReportData,
  { file, entries }: Baseline,
  today: string,
  ids: ReadonlySet<string>,
): ReportData {
  const results = new Map(data.results.map((result) => [result.id, result]));
  const known = new Map<string, ResultData>();
  const problems: { readonly place: string; readonly message: string }[] = [];
  for (const { id, place, rules, ...statement } of entries) {
    const result = results.get(id);
    const { expires } = statement;
    const problem = (message: string) => problems.push({ place, message });
    const candidates = problems.length < MAX_SUGGESTIONS ? ids : [];
    if (!ids.has(id)) problem(`remove the entry, or correct its ID: ${unknown("test", id, candidates)}`);
    else if (result === undefined || result.outcome === "skipped" || result.outcome === "error") continue;
    else if (result.outcome === "passed" && result.findings === undefined)
      problem(`${id} passes now; remove the entry`);
    else if (expires !== undefined && today > expires)
      problem(`${id} still fails, but the entry expired on ${expires}; fix the failure`);
    else if (isAllowed(rules, result)) known.set(id, { ...result, known: statement });
  }
  const marked = data.results.map((result) => known.get(result.id) ?? result);
  const rest = problems.length > 0 ? `, ${plural(problems.length, "problem")}` : "";
  const summary = `baseline ${file}: ${plural(known.size, "known failure")}${rest}`;
  return withPolicy({ ...data, results: marked }, { policy: "baseline", summary, problems });
}

function isAllowed(rules: BaselineEntry["rules"], result: Parameters<typeof violatedRules>[0]): boolean {
  return rules === undefined || violatedRules(result).every((rule) => rules.includes(rule));
}

/**
 * Returns a function that reports during a run whether a failure is known, or a passed test shows only violations
 * that known failures explain.
 */
export function knownIn({ entries }: Baseline, today: string): (result: Result) => boolean {
  const valid = entries.filter(({ expires = today }) => today <= expires);
  const excused = new Set(valid.flatMap(({ rules = [] }) => rules));
  return (result) => {
    const entry = valid.find(({ id }) => id === result.vector.id);
    if (result.outcome === "error") return false;
    if (entry !== undefined) return isAllowed(entry.rules, result);
    return result.outcome === "passed" && violatedRules(result).every((rule) => excused.has(rule));
  };
}

/** Placeholder for a reason that only a person can give. */
const UNEXPLAINED = "not yet explained";

/**
 * Returns the text of a baseline with every failure of a report. Entries of tests that still fail keep their
 * reason, link, date, and comments. Entries of tests that pass now are removed.
 * @param path path of the baseline, which need not exist yet
 */
export function updatedBaseline(path: string, data: ReportData, ids: ReadonlySet<string>): string {
  const { isMap, isSeq, parseDocument, YAMLSeq } = yaml();
  const document = existsSync(path) ? parseDocument(readFileSync(path, "utf8")) : newDocument(path);
  const failing = new Map(failuresIn(data).map((result) => [result.id, [...violatedRules(result)].sort()]));
  const played = data.results.filter(({ outcome }) => outcome === "passed" || outcome === "failed");
  const passing = new Set(played.map(({ id }) => id).filter((id) => !failing.has(id)));
  const list = document.get("known");
  const nodes = isSeq(list) ? list.items.filter((node) => isMap(node)) : [];
  // A comment above the first entry belongs to that entry, but the parser attaches it to the list.
  if (isSeq(list) && list.commentBefore && nodes[0] !== undefined)
    nodes[0].commentBefore = list.commentBefore;
  const idOf = (node: YAMLMap) => String(node.get("id"));
  const kept = nodes.filter((node) => ids.has(idOf(node)) && !passing.has(idOf(node)));
  for (const node of kept) {
    const { id, rules: stated, reason } = node.toJS(document) as Omit<BaselineEntry, "place">;
    const rules = failing.get(id);
    failing.delete(id);
    if (rules === undefined || stated === undefined) continue;
    node.set("rules", document.createNode(rules, { flow: true }));
    // The reason of an entry does not cover violations of rules that the entry does not name.
    const isCovered = rules.every((rule) => stated.includes(rule));
    if (!isCovered && !reason.startsWith(UNEXPLAINED))
      node.set("reason", `${UNEXPLAINED}; reason for ${stated.join(", ")}: ${reason}`);
  }
  for (const [id, rules] of failing) {
    const flow = document.createNode(rules, { flow: true });
    kept.push(document.createNode({ id, rules: flow, reason: UNEXPLAINED }) as YAMLMap);
  }
  const known = new YAMLSeq();
  known.items = kept.sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
  known.flow = kept.length === 0;
  document.set("known", known);
  return document.toString({ lineWidth: 120, flowCollectionPadding: false });
}

/** Returns the failed tests. For each violated rule that they do not show, adds a passed test that does. */
function failuresIn({ results }: ReportData): readonly ResultData[] {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const seen = new Set(failed.flatMap(({ findings = [] }) => findings.flatMap(({ rules }) => rules)));
  const others = results.filter(({ outcome, findings = [] }) => {
    const rules = findings.flatMap((finding) => finding.rules);
    const isNew = outcome === "passed" && rules.some((rule) => !seen.has(rule));
    if (isNew) for (const rule of rules) seen.add(rule);
    return isNew;
  });
  return [...failed, ...others];
}

function newDocument(path: string): Document {
  const document = new (yaml().Document)({ known: [] });
  const schema = relative(dirname(resolve(path)), SCHEMA)
    .split(sep)
    .join("/");
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return document;
}
