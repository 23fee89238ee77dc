/** Known failures: read from a file, held against a run, brought up to date. */

import { Document, isMap, isSeq, parseDocument, type YAMLMap, YAMLSeq } from "yaml";
import { checkSchema, suggestion } from "../engine/data/schema.ts";
import { readYaml, type YamlSource } from "../engine/data/yaml-source.ts";
import type { Known, Result } from "../engine/play/result.ts";
import { PATHS } from "../paths.ts";

/** A failure that the makers of an implementation know of. */
export interface KnownFailure extends Known {
  /** Id of the vector or property. */
  readonly id: string;
  /** Rules that it may fail for; any where there are none. */
  readonly rules?: readonly string[];
}

/** Known failures, as a file holds them. */
interface Baseline {
  readonly file: string;
  readonly known: readonly KnownFailure[];
}

/**
 * Reads a file of known failures.
 * @throws {DataError} with file:line:column for a file that breaks its schema, an id that stands twice, a day that is none
 */
export function readBaseline(path: string): Baseline {
  return baselineOf(readYaml(path));
}

/** Like {@link readBaseline}, for a file that was read. */
export function baselineOf(source: YamlSource): Baseline {
  checkSchema(source, PATHS.baselineSchema);
  const known = (source.value as { readonly known: readonly KnownFailure[] | null }).known ?? [];
  const lines = new Map<string, number>();
  for (const [index, { id, expires }] of known.entries()) {
    const earlier = lines.get(id);
    const path = ["known", index, "id"];
    if (earlier !== undefined) throw source.error(path, `${id} is known already, from line ${earlier}`);
    lines.set(id, source.keyPosition(path).line);
    if (expires !== undefined && !isDay(expires))
      throw source.error(["known", index, "expires"], `there is no day ${expires}`);
  }
  return { file: source.file, known };
}

/** Whether `YYYY-MM-DD` is a day of the calendar. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** What a run showed of the known failures. */
export interface BaselineReport {
  readonly file: string;
  /** Results whose failure is waived. */
  readonly known: readonly string[];
  /** Entries that no failure answers to any more, or that no failure could. They fail the run. */
  readonly stale: readonly { readonly id: string; readonly why: string }[];
  /** Entries whose day has passed while the failure is still there. They waive nothing. */
  readonly expired: readonly { readonly id: string; readonly expires: string }[];
  /** Entries that know a failure, yet not for these rules. They waive nothing. */
  readonly otherRules: readonly { readonly id: string; readonly rules: readonly string[] }[];
}

/** A baseline, and what it takes to hold a run to it. */
export interface BaselineGate {
  readonly baseline: Baseline;
  /** Today in UTC, `YYYY-MM-DD`. */
  readonly today: string;
  /** Every id that the kit has, whether selected or not. */
  readonly ids: ReadonlySet<string>;
}

/** How far the results of a run speak for what is not among them. */
export interface Reach {
  /** Whether this is all that was to run: a part of a run calls no entry stale. */
  readonly whole: boolean;
  /** Whether properties tried what they usually try: where they did not, a pass says little. */
  readonly usualCases: boolean;
}

/**
 * Marks the results whose failure is known, and tells what of the baseline holds no more. A baseline waives judged
 * failures alone, never an error of the adapter; entries about what was not run are left alone.
 * @param results with every failure attributed
 */
export function applyBaseline(
  { baseline, today, ids }: BaselineGate,
  results: readonly Result[],
  reach: Reach,
): { readonly results: readonly Result[]; readonly report: BaselineReport } {
  const byId = new Map(results.map((result) => [result.id, result]));
  const waived = new Map<string, KnownFailure>();
  const stale: BaselineReport["stale"][number][] = [];
  const expired: BaselineReport["expired"][number][] = [];
  const otherRules: BaselineReport["otherRules"][number][] = [];
  for (const entry of baseline.known) {
    const { id, expires } = entry;
    const result = byId.get(id);
    if (!ids.has(id)) {
      const why = `there is no such vector or property${suggestion(id, ids)}`;
      if (reach.whole) stale.push({ id, why });
    } else if (result?.outcome === "passed") {
      if (reach.whole && (result.kind !== "property" || reach.usualCases))
        stale.push({ id, why: "it passes now" });
    } else if (result?.outcome === "failed") {
      const rules = unknownRules(entry, result);
      if (expires !== undefined && today > expires) expired.push({ id, expires });
      else if (rules.length > 0) otherRules.push({ id, rules });
      else waived.set(id, entry);
    }
  }
  return {
    results: results.map((result) => marked(result, waived.get(result.id))),
    report: { file: baseline.file, known: [...waived.keys()], stale, expired, otherRules },
  };
}

/** Rules that the result fails for and the entry does not name. */
function unknownRules({ rules }: KnownFailure, { failures }: Result): readonly string[] {
  if (rules === undefined) return [];
  return [...new Set(failures.map(({ rule }) => rule))].filter((rule) => !rules.includes(rule));
}

/** The result with what is known of its failure; an earlier mark goes. */
function marked({ known: _, ...result }: Result, entry: KnownFailure | undefined): Result {
  if (entry === undefined) return result;
  const { reason, link, expires } = entry;
  const known = {
    reason,
    ...(link === undefined ? {} : { link }),
    ...(expires === undefined ? {} : { expires }),
  };
  return { ...result, known };
}

/** What stands in for a reason that only a person can give. */
const UNEXPLAINED = "not yet explained";

/**
 * The text of a baseline that knows every failure of a run. Entries of what still fails keep their reason, link, day
 * and comments (an update never puts a day off); those of what passed go; those of what was not judged stay.
 * @param text the file so far, which `readBaseline` accepts; undefined where there is none
 * @param results with every failure attributed
 * @param schema path or address of the schema, for editors
 */
export function updatedBaseline(
  text: string | undefined,
  results: readonly Result[],
  ids: ReadonlySet<string>,
  schema: string,
): string {
  const document = text === undefined ? newDocument(schema) : parseDocument(text);
  const byId = new Map(results.map((result) => [result.id, result]));
  const nodes = new Map<string, YAMLMap>();
  for (const node of entriesOf(document)) nodes.set(String(node.get("id")), node);
  for (const [id, node] of nodes) {
    const result = byId.get(id);
    if (!ids.has(id) || result?.outcome === "passed") nodes.delete(id);
    else if (result?.outcome === "failed") bringUpToDate(document, node, rulesOf(result));
  }
  for (const result of results) {
    if (result.outcome !== "failed" || nodes.has(result.id)) continue;
    const entry: KnownFailure = { id: result.id, rules: rulesOf(result), reason: UNEXPLAINED };
    nodes.set(result.id, document.createNode(entry) as YAMLMap);
  }
  const sorted = new YAMLSeq();
  sorted.items = [...nodes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, node]) => node);
  if (sorted.items.length === 0) sorted.flow = true;
  for (const node of sorted.items) shortLists(node as YAMLMap);
  document.set("known", sorted);
  return document.toString({ lineWidth: 120, flowCollectionPadding: false });
}

/** The entries so far. The comment above the first is its own, though the list has it. */
function entriesOf(document: Document): readonly YAMLMap[] {
  const list = document.get("known");
  const nodes = isSeq(list) ? list.items.filter((node) => isMap(node)) : [];
  const [first] = nodes;
  if (isSeq(list) && list.commentBefore && first !== undefined) first.commentBefore = list.commentBefore;
  return nodes;
}

function newDocument(schema: string): Document {
  const document = new Document({ known: [] });
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return document;
}

/** A failure for a rule that the entry does not name is not what its reason was about. */
function bringUpToDate(document: Document, node: YAMLMap, rules: readonly string[]): void {
  const stated = node.toJS(document) as KnownFailure;
  if (stated.rules === undefined) return;
  node.set("rules", document.createNode(rules));
  if (rules.every((rule) => stated.rules?.includes(rule))) return;
  if (!stated.reason.startsWith(UNEXPLAINED))
    node.set("reason", `${UNEXPLAINED}; for ${stated.rules.join(", ")}: ${stated.reason}`);
}

function rulesOf({ failures }: Result): readonly string[] {
  return [...new Set(failures.map(({ rule }) => rule))].sort();
}

function shortLists(node: YAMLMap): void {
  const rules = node.get("rules");
  if (isSeq(rules)) rules.flow = true;
}
