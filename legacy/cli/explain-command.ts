import { basename, join } from "node:path";
import { loadClientData } from "../contract/client/client-data.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { propertiesAtDefault } from "../contract/properties-at-default.ts";
import { searchId } from "../engine/client/search-result.ts";
import { kitText } from "../engine/data/packed-files.ts";
import { suggestion } from "../engine/data/schema.ts";
import { formatOutcome } from "../engine/outcome.ts";
import type { OpenPoint, Rule, RuleBook } from "../engine/rule-book.ts";
import { DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { placeOf, spansOf } from "../mutants/edits.ts";
import { EXAMPLE_FOLDER, exampleProgram, type Program, referenceProgram } from "../mutants/program.ts";
import { type ConformingVariant, loadMutants, type Mutant, type PlacedEdit } from "../mutants/suite.ts";
import { traceRules, vectorsOfPoint } from "../mutants/traceability.ts";
import { PATHS, shownKitPath } from "../paths.ts";
import { columns } from "../reports/text-layout.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** An item with an id and a title. */
interface Titled {
  readonly id: string;
  readonly title: string;
}

/** A vector of either side; only those of services have needs. */
type ExplainedVector = Pick<Vector, "id" | "title" | "rules" | "place"> & Partial<Pick<Vector, "needs">>;
type Broken = Pick<Mutant, "id" | "title" | "why" | "breaks" | "place" | "edits">;
type Legal = Pick<ConformingVariant, "id" | "title" | "choices" | "place" | "edits">;

/** A search over random cases. */
interface Search extends Titled {
  readonly tries: string;
  readonly cases: string;
  readonly rules: readonly string[];
  readonly needs?: readonly string[];
}

/** All that can be explained of one side of the contract, and how. */
interface Side {
  readonly judged: "service" | "client";
  readonly contract: RuleBook;
  readonly vectors: readonly ExplainedVector[];
  /** Folder of the suites. */
  readonly folder: string;
  readonly searches: readonly Search[];
  readonly broken: readonly Broken[];
  readonly legal: readonly Legal[];
  /** Entries that show how a rule is broken. */
  brokenBy(rule: Rule): readonly Broken[];
  /** Vectors that look at an open point; undefined where that is not tracked. */
  vectorsOf(point: OpenPoint): readonly Titled[] | undefined;
  /** The program that the entries edit, and its folder as people see it. */
  edited(): { readonly program: Program; readonly folder: string };
}

/**
 * `explain`: a rule, an open point, a vector, a property or an entry of the mutant suites.
 * @throws {UsageError} for an id that is none, with the nearest
 */
export function explainCommand(id: string, output: Output): number {
  const sides = [services(), clients()];
  // An entry of the one suite may have the name of an entry of the other.
  const texts = sides.flatMap((side) => explained(id, side));
  if (texts.length === 0)
    throw new UsageError(
      `"${id}" is not a rule, open point, vector, property, service or client of the bank${suggestion(id, sides.flatMap(idsOf))}; \`list\` shows them`,
    );
  output.out(texts.join("\n"));
  return 0;
}

/** All ids of clients that can be explained. */
export function clientIds(): readonly string[] {
  return idsOf(clients());
}

function idsOf({ contract, vectors, searches, broken, legal }: Side): readonly string[] {
  const others = [...vectors, ...searches, ...broken, ...legal].map(({ id }) => id);
  return [...contract.rules.keys(), ...contract.points.keys(), ...others];
}

function services(): Side {
  const { contract, suites } = loadKitData();
  const { broken, legal } = loadMutants("services", contract);
  return {
    judged: "service",
    contract,
    vectors: suites.vectors,
    folder: PATHS.suites,
    searches: propertiesAtDefault().map(({ cases, more, ...search }) => ({
      ...search,
      cases: `${cases} in a usual run; ${more} tries more`,
    })),
    broken,
    legal,
    brokenBy: (rule) => {
      const trace = traceRules(contract, suites).get(rule.id);
      return broken.filter(({ id }) => trace?.mutants.includes(id));
    },
    vectorsOf: (point) => vectorsOfPoint(point, suites),
    edited: () => ({ program: referenceProgram(), folder: "reference" }),
  };
}

function clients(): Side {
  const { contract, suites } = loadClientData();
  const { broken, legal } = loadMutants("clients", contract);
  const { search } = contract;
  return {
    judged: "client",
    contract,
    vectors: suites.vectors,
    folder: PATHS.clientSuites,
    searches:
      search === undefined
        ? []
        : [
            {
              ...search,
              id: searchId(search),
              tries: "services drawn at random that keep the contract, and a handful of launches with each",
              cases: `${DEFAULT_SCRIPTS} in a usual run; client --runs ${10 * DEFAULT_SCRIPTS} tries more`,
            },
          ],
    broken,
    legal,
    brokenBy: (rule) => broken.filter(({ breaks }) => breaks.includes(rule.id)),
    vectorsOf: () => undefined,
    edited: () => ({ program: exampleProgram(), folder: shownKitPath(EXAMPLE_FOLDER) }),
  };
}

/** The texts about an id; none where the side has no such id. */
function explained(id: string, side: Side): readonly string[] {
  const { contract, vectors, searches, broken, legal } = side;
  const rule = contract.rules.get(id);
  if (rule !== undefined) return [ruleText(rule, side)];
  const point = contract.points.get(id);
  if (point !== undefined) return [pointText(point, side)];
  const search = searches.find((one) => one.id === id);
  if (search !== undefined) return [searchText(search, contract)];
  const chosen = vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  if (chosen.length > 0) return chosen.map((vector) => vectorText(vector, side));
  return [
    ...broken.filter((entry) => entry.id === id).map((entry) => brokenText(entry, side)),
    ...legal.filter((entry) => entry.id === id).map((entry) => legalText(entry, side)),
  ];
}

function ruleText(rule: Rule, side: Side): string {
  const { judged, vectors, searches, brokenBy } = side;
  const { id, statement, level, observable, section, reason } = rule;
  const tested = vectors.filter(({ rules }) => rules.includes(id));
  const properties = judged === "service" ? searches.filter(({ rules }) => rules.includes(id)) : [];
  const broken = brokenBy(rule);
  return lines([
    `${id}  ${statement}`,
    ...(judged === "client" ? [said("judges", "clients")] : []),
    said("level", `${level}${observable ? "" : ", not observable from outside"}`),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("reason", reason)]),
    ...(observable ? [said("vectors", String(tested.length)), ...titles(tested)] : []),
    ...(properties.length === 0 ? [] : [said("properties", String(properties.length))]),
    ...titles(properties),
    ...(broken.length === 0 ? [] : [`  how a ${judged} breaks it`]),
    ...titles(broken.map((entry) => ({ id: entry.id, title: `${entry.title}: ${entry.why}` }))),
  ]);
}

function pointText(point: OpenPoint, { judged, legal, vectorsOf }: Side): string {
  const { id, question, section, reason, reference, why } = point;
  const tested = vectorsOf(point);
  const counted = tested?.length === 0 ? "seen in passing, in the answers of others" : String(tested?.length);
  const others = legal.filter(({ choices }) => choices[id] !== undefined);
  return lines([
    `${id}  ${question}`,
    ...(judged === "client" ? [said("left to", "clients")] : []),
    said("section", `contract, "${section}"`),
    ...(reason === undefined ? [] : [said("unseen", reason)]),
    "  accepted readings",
    ...titles(point.readings.map(readingText)),
    said(judged === "client" ? "example" : "reference", `${reference}: ${why}`),
    ...(tested === undefined ? [] : [said("vectors", counted), ...titles(tested)]),
    ...(others.length === 0 ? [] : [`  ${judged}s of the bank that read it otherwise, and conform`]),
    ...titles(others.map((other) => ({ id: other.id, title: `${other.choices[id]}: ${other.title}` }))),
  ]);
}

function readingText({ id, means, outcome }: OpenPoint["readings"][number]): Titled {
  const parts = [outcome === undefined ? "" : formatOutcome(outcome), means ?? ""];
  return { id, title: parts.filter((part) => part !== "").join(": ") };
}

function searchText({ id, title, tries, cases, rules, needs }: Search, contract: RuleBook): string {
  return lines([
    `${id}  ${title}`,
    said("tries", tries),
    said("cases", cases),
    ...statements("rule", rules, contract),
    ...needsText(needs),
  ]);
}

function vectorText({ id, title, place, rules, needs }: ExplainedVector, { contract, folder }: Side): string {
  return lines([
    `${id}  ${title}`,
    said("at", `${place.file}:${place.line}`),
    ...statements("rule", rules, contract),
    ...needsText(needs === undefined ? undefined : [...needs]),
    "",
    sourceOf(id, folder, basename(place.file)),
  ]);
}

function needsText(needs: readonly string[] | undefined): readonly string[] {
  return needs === undefined ? [] : [said("needs", needs.join(", ") || "nothing")];
}

function brokenText({ id, title, why, breaks, place, edits }: Broken, side: Side): string {
  return lines([
    `${id}  ${title}: ${why}`,
    said("at", `${place.file}:${place.line}`),
    ...statements("breaks", breaks, side.contract),
    ...editLines(edits, side),
  ]);
}

function legalText({ id, title, choices, place, edits }: Legal, side: Side): string {
  return lines([
    `${id}  ${title}`,
    said("at", `${place.file}:${place.line}`),
    ...columns(Object.entries(choices)).map((line) => said("chooses", line)),
    ...editLines(edits, side),
  ]);
}

/** The edits of an entry, as a diff shows them. */
function editLines(edits: readonly PlacedEdit[], side: Side): readonly string[] {
  const { program, folder } = side.edited();
  return edits.flatMap((edit) => [
    ...spansOf(program, [edit]).map((span) => `  in ${folder}/${placeOf(span)}`),
    ...edit.replace.split("\n").map((line) => `    - ${line}`),
    ...edit.with.split("\n").map((line) => `    + ${line}`),
    ...(edit.imports ?? []).map((name) => `    imports ${name}`),
  ]);
}

/** One fact, after its name. */
function said(name: string, text: string): string {
  return `  ${name.padEnd("properties".length)}  ${text}`;
}

/** The statement of each rule. */
function statements(name: string, ids: readonly string[], contract: RuleBook): readonly string[] {
  const rows = ids.map((id) => [id, contract.rules.get(id)?.statement ?? ""]);
  return columns(rows).map((line) => said(name, line));
}

/** One line for each, its title in a column. */
function titles(items: readonly Titled[]): readonly string[] {
  return columns(
    items.map(({ id, title }) => [id, title]),
    4,
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

function lines(parts: readonly string[]): string {
  return `${parts.join("\n")}\n`;
}
