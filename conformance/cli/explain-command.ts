import { basename, join } from "node:path";
import { type ClientData, loadClientData } from "../contract/client/client-data.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { type PropertyAtDefault, propertiesAtDefault } from "../contract/properties-at-default.ts";
import type { ClientSearch } from "../engine/client/client-contract.ts";
import { searchId } from "../engine/client/search-result.ts";
import { kitText } from "../engine/data/packed-files.ts";
import { suggestion } from "../engine/data/schema.ts";
import { formatOutcome } from "../engine/outcome.ts";
import type { OpenPoint, Rule, RuleBook } from "../engine/rule-book.ts";
import { DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import type { Suites } from "../engine/vectors/load.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { spansOf } from "../mutants/apply-edits.ts";
import { EXAMPLE_FOLDER, exampleProgram } from "../mutants/clients/example-program.ts";
import { loadClientBank } from "../mutants/clients/load-client-bank.ts";
import type { Bank, BrokenEntry, LegalEntry, PlacedEdit } from "../mutants/entry.ts";
import { placeOf } from "../mutants/find-text.ts";
import { loadBank } from "../mutants/load-bank.ts";
import { type Program, referenceProgram } from "../mutants/reference-program.ts";
import { traceRules, vectorsOfPoint } from "../mutants/traceability.ts";
import { PATHS, shownKitPath } from "../paths.ts";
import { columns } from "../reports/columns.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** `explain`: what a rule, an open point, a vector, a property or a mutant is about. */
export function explainCommand(id: string, output: Output): number {
  const { contract, suites } = loadKitData();
  const bank = loadBank(contract);
  const rule = contract.rules.get(id);
  const point = contract.points.get(id);
  const vectors = suites.vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  const property = propertiesAtDefault().find((candidate) => candidate.id === id);
  const broken = bank.broken.find((entry) => entry.id === id);
  const legal = bank.legal.find((entry) => entry.id === id);
  if (rule !== undefined) output.out(explainRule(rule, contract, suites));
  else if (point !== undefined) output.out(explainPoint(point, suites, bank));
  else if (vectors.length > 0)
    output.out(vectors.map((vector) => explainVector(vector, contract, PATHS.suites)).join("\n"));
  else if (property !== undefined) output.out(explainProperty(property, contract));
  else {
    const edited = { program: referenceProgram(), folder: "reference" };
    // An entry of the one bank may be called as one of the other is.
    const entries = [
      ...(broken === undefined ? [] : [explainBroken(broken, contract, edited)]),
      ...(legal === undefined ? [] : [explainLegal(legal, edited)]),
      explainedClient(id) ?? [],
    ].flat();
    if (entries.length > 0) {
      output.out(entries.join("\n"));
      return 0;
    }
    const known = [
      ...contract.rules.keys(),
      ...contract.points.keys(),
      ...suites.vectors.map((vector) => vector.id),
      ...propertiesAtDefault().map((known) => known.id),
      ...[...bank.broken, ...bank.legal].map((entry) => entry.id),
      ...clientIds(),
    ];
    throw new UsageError(
      `"${id}" is not a rule, open point, vector, property, service or client of the bank${suggestion(id, known)}; \`list\` shows them`,
    );
  }
  return 0;
}

function explainRule(rule: Rule, contract: RuleBook, suites: Suites): string {
  const trace = traceRules(contract, suites).get(rule.id);
  const properties = propertiesAtDefault().filter(({ rules }) => rules.includes(rule.id));
  const broken = loadBank(contract).broken.filter(({ id }) => trace?.mutants.includes(id));
  return ruleText(rule, {
    tested: suites.vectors.filter(({ rules }) => rules.includes(rule.id)),
    properties,
    broken,
    breaker: "a service",
  });
}

/** What is told of a rule of either side. */
interface RuleTrace {
  /** The vectors that name it. */
  readonly tested: readonly Titled[];
  readonly properties: readonly Titled[];
  readonly broken: readonly Pick<BrokenEntry, "id" | "title" | "why">[];
  /** What breaks it. */
  readonly breaker: "a service" | "a client";
}

function ruleText(
  { id, statement, level, observable, section, reason }: Rule,
  { tested, properties, broken, breaker }: RuleTrace,
): string {
  return lines([
    `${id}  ${statement}`,
    ...(breaker === "a client" ? [said("judges", "clients")] : []),
    said("level", `${level}${observable ? "" : ", not observable from outside"}`),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("reason", reason)]),
    ...(observable ? [said("vectors", String(tested.length)), ...titles(tested)] : []),
    ...(properties.length === 0 ? [] : [said("properties", String(properties.length))]),
    ...titles(properties),
    ...(broken.length === 0 ? [] : [`  how ${breaker} breaks it`]),
    ...titles(broken.map((entry) => ({ id: entry.id, title: `${entry.title}: ${entry.why}` }))),
  ]);
}

function explainPoint(point: OpenPoint, suites: Suites, bank: Bank): string {
  const tested = vectorsOfPoint(point, suites);
  const others = bank.legal.filter(({ choices }) => choices[point.id] !== undefined);
  return lines([
    `${point.id}  ${point.question}`,
    said("section", `contract, "${point.section}"`),
    ...(point.reason === undefined ? [] : [said("unseen", point.reason)]),
    "  accepted readings",
    ...readings(point),
    said("reference", `${point.reference}: ${point.why}`),
    said(
      "vectors",
      tested.length === 0 ? "seen in passing, in the answers of others" : String(tested.length),
    ),
    ...titles(tested),
    ...(others.length === 0 ? [] : ["  services of the bank that read it otherwise, and conform"]),
    ...titles(others.map(({ id, title, choices }) => ({ id, title: `${choices[point.id]}: ${title}` }))),
  ]);
}

function explainProperty(property: PropertyAtDefault, contract: RuleBook): string {
  const { id, title, tries, cases, more, rules, needs } = property;
  return lines([
    `${id}  ${title}`,
    said("tries", tries),
    said("cases", `${cases} in a usual run; ${more} tries more`),
    ...statements("rule", rules, contract),
    said("needs", needs.join(", ") || "nothing"),
  ]);
}

/** A vector of either side, of which services alone have needs. @param folder of its suites */
function explainVector(
  { id, title, place, rules, needs }: Pick<Vector, "id" | "title" | "place" | "rules"> & Partial<Vector>,
  contract: RuleBook,
  folder: string,
): string {
  return lines([
    `${id}  ${title}`,
    said("at", `${place.file}:${place.line}`),
    ...statements("rule", rules, contract),
    ...(needs === undefined ? [] : [said("needs", [...needs].join(", ") || "nothing")]),
    "",
    sourceOf(id, folder, basename(place.file)),
  ]);
}

/** What a rule, an open point, a vector or a bank's entry of clients is about; undefined where none has that id. */
function explainedClient(id: string): string | undefined {
  const data = loadClientData();
  const { contract, suites } = data;
  const rule = contract.rules.get(id);
  if (rule !== undefined) return explainClientRule(rule, data);
  const point = contract.points.get(id);
  if (point !== undefined) return explainClientPoint(point, data);
  const { search } = contract;
  if (search !== undefined && id === searchId(search)) return explainClientSearch(search, data);
  const vectors = suites.vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  if (vectors.length > 0)
    return vectors.map((vector) => explainVector(vector, contract, PATHS.clientSuites)).join("\n");
  const bank = loadClientBank(contract);
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
  const { broken, legal } = loadClientBank(contract);
  const entries = [...broken, ...legal].map(({ id }) => id);
  return [...contract.rules.keys(), ...contract.points.keys(), ...vectors, ...searches, ...entries];
}

function explainClientRule(rule: Rule, { contract, suites }: ClientData): string {
  return ruleText(rule, {
    tested: suites.vectors.filter(({ rules }) => rules.includes(rule.id)),
    properties: [],
    broken: loadClientBank(contract).broken.filter(({ breaks }) => breaks.includes(rule.id)),
    breaker: "a client",
  });
}

function explainClientPoint(point: OpenPoint, { contract }: ClientData): string {
  const others = loadClientBank(contract).legal.filter(({ choices }) => choices[point.id] !== undefined);
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

function explainClientSearch(search: ClientSearch, { contract }: ClientData): string {
  return lines([
    `${searchId(search)}  ${search.title}`,
    said("tries", "services drawn at random that keep the contract, and a handful of launches with each"),
    said("cases", `${DEFAULT_SCRIPTS} in a usual run; client --runs ${10 * DEFAULT_SCRIPTS} tries more`),
    ...statements("rule", search.rules, contract),
  ]);
}

/** What the entries of a bank are edits of. */
interface Edited {
  readonly program: Program;
  /** Where it lies, as people see it. */
  readonly folder: string;
}

type Told = "id" | "title" | "place" | "edits";

/** What a broken entry of a bank is about. */
function explainBroken(
  { id, title, why, breaks, place, edits }: Pick<BrokenEntry, Told | "why" | "breaks">,
  contract: RuleBook,
  edited: Edited,
): string {
  return lines([
    `${id}  ${title}: ${why}`,
    said("at", `${place.file}:${place.line}`),
    ...statements("breaks", breaks, contract),
    ...editLines(edits, edited),
  ]);
}

/** What a legal entry of a bank is about. */
function explainLegal(
  { id, title, choices, place, edits }: Pick<LegalEntry, Told | "choices">,
  edited: Edited,
): string {
  return lines([
    `${id}  ${title}`,
    said("at", `${place.file}:${place.line}`),
    ...columns(Object.entries(choices)).map((line) => said("chooses", line)),
    ...editLines(edits, edited),
  ]);
}

/** How the entry differs from what it is an edit of, as a diff shows it. */
function editLines(edits: readonly PlacedEdit[], { program, folder }: Edited): readonly string[] {
  return edits.flatMap((edit) => [
    ...spansOf(program, [edit]).map((span) => `  in ${folder}/${placeOf(span)}`),
    ...edit.replace.split("\n").map((line) => `    - ${line}`),
    ...edit.with.split("\n").map((line) => `    + ${line}`),
    ...(edit.imports ?? []).map((name) => `    imports ${name}`),
  ]);
}

/** One thing that is told, after its name. */
function said(name: string, text: string): string {
  return `  ${name.padEnd("properties".length)}  ${text}`;
}

/** What each rule says. */
function statements(name: string, ids: readonly string[], contract: RuleBook): readonly string[] {
  const rows = ids.map((id) => [id, contract.rules.get(id)?.statement ?? ""]);
  return columns(rows).map((line) => said(name, line));
}

/** What has an id and a title. */
interface Titled {
  readonly id: string;
  readonly title: string;
}

/** One line for each, its title in a column. */
function titles(items: readonly Titled[]): readonly string[] {
  return columns(
    items.map(({ id, title }) => [id, title]),
    4,
  );
}

/** The readings that an open point has. */
function readings({ readings }: OpenPoint): readonly string[] {
  return titles(
    readings.map(({ id, means, outcome }) => {
      const parts = [outcome === undefined ? "" : formatOutcome(outcome), means ?? ""];
      return { id, title: parts.filter((part) => part !== "").join(": ") };
    }),
  );
}

/** A vector as it stands in its file: from its own line to the next vector's. @param folder of the suites */
function sourceOf(id: string, folder: string, fileName: string): string {
  const text = kitText(join(folder, fileName)).split("\n");
  const name = id.split("/")[1] ?? "";
  const first = text.findIndex((line) => new RegExp(`^\\s*-\\s+id:\\s+${name}\\s*$`).test(line));
  const next = text.findIndex((line, index) => index > first && /^ {2}- id:/.test(line));
  return text
    .slice(first, next === -1 ? undefined : next)
    .join("\n")
    .trimEnd();
}

/** Lines as a text. */
function lines(parts: readonly string[]): string {
  return `${parts.join("\n")}\n`;
}
