import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { escapeLine } from "../adapters/text.ts";
import type { Contract, OpenPoint, Reading, Rule } from "../contract/contract.ts";
import { OPEN_API } from "../contract/openapi.ts";
import { formatOutcomes, type Outcome } from "../contract/outcome.ts";
import { unknown } from "../contract/schema-check.ts";
import { PROPERTIES, type Property } from "../properties/index.ts";
import type { Step, Vector } from "../suite/vector.ts";
import { clientKit, type Kit, serviceKit } from "./list.ts";
import { UsageError } from "./options.ts";

type Lines = readonly string[];

/**
 * Explains a rule, an open point, a vector or all of its cases, a property, an error code, or a section. Looks for
 * it in what the kit knows about services, and then about clients.
 * @param id its ID or name; a section may be in lower case
 * @returns text to print
 * @throws {UsageError} if nothing has this ID, with the nearest one
 * @throws {DataError} if the data files have faults
 */
export function explain(id: string): string {
  const [service, client] = [serviceKit(), clientKit()];
  const lines = explainIn(service, id) ?? explainIn(client, id);
  if (lines === undefined)
    throw new UsageError(unknown("ID", id, [...knownIds(service), ...knownIds(client)]));
  return lines.map((line) => `${escapeLine(line)}\n`).join("");
}

function explainIn(kit: Kit, id: string): Lines | undefined {
  const { contract, vectors } = kit;
  const rule = contract.rules.get(id);
  if (rule !== undefined) return explainRule(rule, kit);
  const point = contract.openPoints.get(id);
  if (point !== undefined) return explainOpenPoint(point, kit);
  const cases = vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  const [first] = cases;
  if (first !== undefined && id.includes("/")) return explainVectors(id, first, cases, contract);
  const property = PROPERTIES.find((one) => one.id === id);
  if (property !== undefined) return explainProperty(property, contract);
  const statuses = statusesOfCode(id);
  if (statuses.length > 0) return explainCode(id, statuses, kit);
  const section = sectionsOf(contract).find((one) => one.toLowerCase() === id.toLowerCase());
  return section === undefined ? undefined : explainSection(section, contract);
}

function knownIds({ contract, vectors }: Kit): readonly string[] {
  return [
    ...contract.rules.keys(),
    ...contract.openPoints.keys(),
    ...vectors.map(({ id }) => id),
    ...vectors.map(entryId),
    ...PROPERTIES.map(({ id }) => id),
    ...allCodes(),
    ...sectionsOf(contract),
  ];
}

function explainRule(rule: Rule, { contract, vectors }: Kit): Lines {
  const { id, statement, section, level, observable, reason = "" } = rule;
  const tests = vectors.filter(({ rules }) => rules.includes(id));
  const properties = PROPERTIES.filter(({ rules }) => rules.includes(id));
  const hiding = [...contract.openPoints.values()].flatMap((point) =>
    point.readings
      .filter(({ hides }) => hides.includes(id))
      .map((reading) => [`${point.id} ${reading.id}`, reading.means ?? ""]),
  );
  return [
    `${id}  ${statement.trim()}`,
    field("level", observable ? level : `${level}, not observable: ${reason}`),
    field("section", section),
    ...table("not testable if a service shows", hiding),
    ...table("properties", properties.map(titled)),
    ...(observable ? table("vectors", vectorRows(tests)) : []),
  ];
}

function explainOpenPoint(point: OpenPoint, { vectors }: Kit): Lines {
  const { id, question, section, readings, reference, why, observable, reason = "" } = point;
  const tests = vectors.filter(({ steps }) => pointsIn(steps).has(id));
  return [
    `${id}  ${question}`,
    field("section", section),
    ...(observable ? [] : [field("level", `not observable: ${reason}`)]),
    ...table(
      "allowed readings",
      readings.map((reading) => [reading.id, describeReading(reading)]),
    ),
    field("reference", `${reference}: ${why}`),
    ...(observable && tests.length === 0 ? [field("vectors", "all responses show it")] : []),
    ...table("vectors", vectorRows(tests)),
  ];
}

function describeReading({ outcome, means, hides }: Reading): string {
  const parts = [
    ...(outcome === undefined ? [] : [formatOutcomes(outcome)]),
    ...(means === undefined ? [] : [means]),
    ...(hides.length === 0 ? [] : [`(not testable then: ${hides.join(", ")})`]),
  ];
  return parts.join("; ");
}

/** @param cases the vector, or all of its cases */
function explainVectors(id: string, first: Vector, cases: readonly Vector[], contract: Contract): Lines {
  const rules = new Set(cases.flatMap((one) => one.rules));
  const needs = new Set(cases.flatMap((one) => [...one.needs]));
  return [
    `${id}  ${first.title}`,
    field("source", `${first.place.file}:${first.place.line}`),
    ...(needs.size === 0 ? [] : [field("needs", [...needs].join(", "))]),
    ...table("rules", statements([...rules], contract)),
    ...(cases.length > 1
      ? table(
          "cases",
          cases.map((one) => [one.id]),
        )
      : []),
    "",
    ...sourceOf(first),
  ];
}

function explainProperty({ id, title, tries, rules, needs }: Property, contract: Contract): Lines {
  return [
    `${id}  ${title}`,
    field("tries", tries),
    ...(needs.size === 0 ? [] : [field("needs", [...needs].join(", "))]),
    ...table("rules", statements(rules, contract)),
  ];
}

function explainCode(code: string, statuses: readonly string[], { contract, vectors }: Kit): Lines {
  const hasCode = (outcome: Outcome | undefined) => outcome?.codes.includes(code) ?? false;
  const rules = [...contract.rules.values()].filter(
    ({ statement, response }) => statement.includes(code) || hasCode(response),
  );
  const points = [...contract.openPoints.values()].filter(
    ({ question, readings }) => question.includes(code) || readings.some(({ outcome }) => hasCode(outcome)),
  );
  const tests = vectors.filter(({ steps }) => outcomesIn(steps).some(hasCode));
  return [
    `${code}  error code of status ${statuses.join(" and ")}`,
    ...table("rules", rules.map(stated)),
    ...table("open points", points.map(asked)),
    ...table("vectors that expect it", vectorRows(tests)),
  ];
}

function explainSection(section: string, { rules, openPoints }: Contract): Lines {
  const isIn = (one: Rule | OpenPoint) => splitSection(one.section).includes(section);
  return [
    `Section "${section}" of the contract`,
    ...table("rules", [...rules.values()].filter(isIn).map(stated)),
    ...table("open points", [...openPoints.values()].filter(isIn).map(asked)),
  ];
}

function sectionsOf({ rules, openPoints }: Contract): readonly string[] {
  const sections = [...rules.values(), ...openPoints.values()].flatMap((one) => splitSection(one.section));
  return [...new Set(sections)];
}

/** Returns the headings in a text such as `Limits; Resources and their fields / Session`. */
function splitSection(section: string): readonly string[] {
  return section.split(/; | \/ /);
}

/** Returns the statuses that an error code can come with. */
function statusesOfCode(code: string): readonly string[] {
  return errorSchemas().flatMap(([status, codes]) => (codes.includes(code) ? status : []));
}

function allCodes(): readonly string[] {
  return errorSchemas().flatMap(([, codes]) => codes);
}

function errorSchemas(): readonly (readonly [status: string, codes: readonly string[]])[] {
  return Object.entries(OPEN_API.components.schemas).flatMap(([name, { properties }]) => {
    const [, status] = /^Error(\d+)$/.exec(name) ?? [];
    return status === undefined ? [] : [[status, properties?.["code"]?.enum ?? []] as const];
  });
}

/** Returns the open points that a step observes by its own response. */
function pointsIn(steps: readonly Step[]): ReadonlySet<string> {
  const points = steps.flatMap((step) => [
    ...("open" in step && step.open !== undefined ? [step.open] : []),
    ...("expect" in step && step.expect?.open !== undefined ? [step.expect.open] : []),
    ...("steps" in step ? pointsIn(step.steps) : []),
  ]);
  return new Set(points);
}

/** Returns the outcomes that steps accept. */
function outcomesIn(steps: readonly Step[]): readonly Outcome[] {
  return steps.flatMap((step) => [
    ...("expect" in step ? (step.expect?.accepted ?? []) : []),
    ...("tallies" in step ? step.tallies.flat().map(({ outcome }) => outcome) : []),
    ...("steps" in step ? outcomesIn(step.steps) : []),
  ]);
}

/** Returns the lines of a vector in its file: from its ID to the next vector. */
function sourceOf({ id, place }: Vector): Lines {
  const lines = readFileSync(resolve(place.file), "utf8").split("\n");
  const name = id.split("/")[1] ?? "";
  const start = lines.findIndex((line) => line.trim() === `- id: ${name}`);
  const length = lines.slice(start + 1).findIndex((line) => /^ {2}- id: /.test(line));
  return lines
    .slice(start, length < 0 ? undefined : start + 1 + length)
    .join("\n")
    .trimEnd()
    .split("\n");
}

/** Returns the ID of a vector without its case. */
const entryId = ({ id }: Vector) => id.split("/").slice(0, 2).join("/");
const titled = ({ id, title }: Property) => [id, title];
const stated = ({ id, statement }: Rule) => [id, statement.trim()];
const asked = ({ id, question }: OpenPoint) => [id, question];

/** Returns a row for each vector. The cases of a vector share one. */
function vectorRows(vectors: readonly Vector[]): readonly (readonly string[])[] {
  const casesOf = new Map<string, Vector[]>();
  for (const vector of vectors) {
    const entry = entryId(vector);
    casesOf.set(entry, [...(casesOf.get(entry) ?? []), vector]);
  }
  return [...casesOf].map(([entry, cases]) => {
    const [{ id, title } = { id: entry, title: "" }] = cases;
    return cases.length === 1 ? [id, title] : [entry, `${title} (${cases.length} cases)`];
  });
}

function statements(ids: readonly string[], { rules }: Contract) {
  return ids.flatMap((id) => {
    const rule = rules.get(id);
    return rule === undefined ? [] : [stated(rule)];
  });
}

function field(label: string, text: string): string {
  return `  ${label.padEnd(9)}  ${text}`;
}

/** Formats rows of two columns under a heading, or nothing if there are none. */
function table(heading: string, rows: readonly (readonly string[])[]): Lines {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([first = ""]) => first.length));
  const lines = rows.map(([first = "", second = ""]) => `    ${first.padEnd(width)}  ${second}`.trimEnd());
  return [`  ${heading} (${rows.length})`, ...lines];
}
