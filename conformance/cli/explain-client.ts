import { basename } from "node:path";
import { type ClientData, loadClientData } from "../contract/client/client-data.ts";
import type { ClientSearch } from "../engine/client/client-contract.ts";
import type { ClientVector } from "../engine/client/client-vector.ts";
import { searchId } from "../engine/client/search-result.ts";
import type { OpenPoint, Rule } from "../engine/rule-book.ts";
import { DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import { PATHS } from "../paths.ts";
import { lines, readings, said, sourceOf, statements, titles } from "./explained.ts";

/** What a rule, an open point or a vector of clients is about; undefined where none has that id. */
export function explainedClient(id: string): string | undefined {
  const data = loadClientData();
  const { contract, suites } = data;
  const rule = contract.rules.get(id);
  if (rule !== undefined) return explainRule(rule, data);
  const point = contract.points.get(id);
  if (point !== undefined) return explainPoint(point);
  const { search } = contract;
  if (search !== undefined && id === searchId(search)) return explainSearch(search, data);
  const vectors = suites.vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  return vectors.length === 0 ? undefined : vectors.map((vector) => explainVector(vector, data)).join("\n");
}

/** All ids that {@link explainedClient} knows. */
export function clientIds(): readonly string[] {
  const { contract, suites } = loadClientData();
  const searches = contract.search === undefined ? [] : [searchId(contract.search)];
  const vectors = suites.vectors.map(({ id }) => id);
  return [...contract.rules.keys(), ...contract.points.keys(), ...vectors, ...searches];
}

function explainRule(
  { id, statement, level, observable, section, reason }: Rule,
  { suites }: ClientData,
): string {
  const tested = suites.vectors.filter(({ rules }) => rules.includes(id));
  return lines([
    `${id}  ${statement}`,
    said("judges", "clients"),
    said("level", `${level}${observable ? "" : ", not observable from outside"}`),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("reason", reason)]),
    ...(observable ? [said("vectors", String(tested.length)), ...titles(tested)] : []),
  ]);
}

function explainPoint(point: OpenPoint): string {
  const { id, question, section, reason, reference, why } = point;
  return lines([
    `${id}  ${question}`,
    said("left to", "clients"),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("unseen", reason)]),
    "  accepted readings",
    ...readings(point),
    said("example", `${reference}: ${why}`),
  ]);
}

function explainSearch(search: ClientSearch, { contract }: ClientData): string {
  return lines([
    `${searchId(search)}  ${search.title}`,
    said("tries", "services drawn at random that keep the contract, and a handful of launches with each"),
    said("cases", `${DEFAULT_SCRIPTS} in a usual run; client --runs ${10 * DEFAULT_SCRIPTS} tries more`),
    ...statements("rule", search.rules, contract),
  ]);
}

function explainVector({ id, title, rules, place }: ClientVector, { contract }: ClientData): string {
  return lines([
    `${id}  ${title}`,
    said("at", `${place.file}:${place.line}`),
    ...statements("rule", rules, contract),
    "",
    sourceOf(id, PATHS.clientSuites, basename(place.file)),
  ]);
}
