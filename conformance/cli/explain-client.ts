import { basename } from "node:path";
import { type ClientData, loadClientData } from "../contract/client/client-data.ts";
import type { ClientSearch } from "../engine/client/client-contract.ts";
import type { ClientVector } from "../engine/client/client-vector.ts";
import { searchId } from "../engine/client/search-result.ts";
import type { OpenPoint, Rule } from "../engine/rule-book.ts";
import { DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import { EXAMPLE_FOLDER, exampleProgram } from "../mutants/program.ts";
import { loadMutants } from "../mutants/suite.ts";
import { PATHS, shownKitPath } from "../paths.ts";
import { explainBroken, explainLegal } from "./explain-entry.ts";
import { lines, readings, said, sourceOf, statements, titles } from "./explained.ts";

/** What a rule, an open point, a vector or a bank's entry of clients is about; undefined where none has that id. */
export function explainedClient(id: string): string | undefined {
  const data = loadClientData();
  const { contract, suites } = data;
  const rule = contract.rules.get(id);
  if (rule !== undefined) return explainRule(rule, data);
  const point = contract.points.get(id);
  if (point !== undefined) return explainPoint(point, data);
  const { search } = contract;
  if (search !== undefined && id === searchId(search)) return explainSearch(search, data);
  const vectors = suites.vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  if (vectors.length > 0) return vectors.map((vector) => explainVector(vector, data)).join("\n");
  const bank = loadMutants("clients", contract);
  const edited = { program: exampleProgram(), folder: shownKitPath(EXAMPLE_FOLDER) };
  const broken = bank.broken.find((entry) => entry.id === id);
  if (broken !== undefined) return explainBroken(broken, contract, edited);
  const legal = bank.legal.find((entry) => entry.id === id);
  return legal === undefined ? undefined : explainLegal(legal, edited);
}

/** All ids that {@link explainedClient} knows. */
export function clientIds(): readonly string[] {
  const { contract, suites } = loadClientData();
  const searches = contract.search === undefined ? [] : [searchId(contract.search)];
  const vectors = suites.vectors.map(({ id }) => id);
  const { broken, legal } = loadMutants("clients", contract);
  const entries = [...broken, ...legal].map(({ id }) => id);
  return [...contract.rules.keys(), ...contract.points.keys(), ...vectors, ...searches, ...entries];
}

function explainRule(
  { id, statement, level, observable, section, reason }: Rule,
  { contract, suites }: ClientData,
): string {
  const broken = loadMutants("clients", contract).broken.filter(({ breaks }) => breaks.includes(id));
  const tested = suites.vectors.filter(({ rules }) => rules.includes(id));
  return lines([
    `${id}  ${statement}`,
    said("judges", "clients"),
    said("level", `${level}${observable ? "" : ", not observable from outside"}`),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("reason", reason)]),
    ...(observable ? [said("vectors", String(tested.length)), ...titles(tested)] : []),
    ...(broken.length === 0 ? [] : ["  how a client breaks it"]),
    ...titles(broken.map((entry) => ({ id: entry.id, title: `${entry.title}: ${entry.why}` }))),
  ]);
}

function explainPoint(point: OpenPoint, { contract }: ClientData): string {
  const others = loadMutants("clients", contract).legal.filter(
    ({ choices }) => choices[point.id] !== undefined,
  );
  const { id, question, section, reason, reference, why } = point;
  return lines([
    `${id}  ${question}`,
    said("left to", "clients"),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("unseen", reason)]),
    "  accepted readings",
    ...readings(point),
    said("example", `${reference}: ${why}`),
    ...(others.length === 0 ? [] : ["  clients of the bank that read it otherwise, and conform"]),
    ...titles(others.map((other) => ({ id: other.id, title: `${other.choices[id]}: ${other.title}` }))),
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
