import { Document, isMap, isSeq, parseDocument, type YAMLMap, YAMLSeq } from "yaml";
import type { Result } from "../../engine/play/result.ts";
import type { KnownFailure } from "./baseline.ts";

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
