import { readFileSync } from "node:fs";
import type { OpenPoint, Reading, Rule } from "../contract/contract.ts";
import { formatOutcomes, type Outcome } from "../contract/outcome.ts";
import { STATUS_OF_CODE } from "../contract/refusals.ts";
import { groupBy } from "../data/json.ts";
import { unknown } from "../data/schema-check.ts";
import { escapeLines, plural } from "../data/text.ts";
import { PROPERTIES } from "../properties/index.ts";
import type { Kit } from "../report/merge.ts";
import { fileOf } from "../suite/compiled.ts";
import { entryId, type Step, stepsOf, type Test } from "../suite/vector.ts";
import { clientKit, columns, type Rows, serviceKit } from "./list.ts";
import { UsageError } from "./options.ts";

type Lines = readonly string[];

/**
 * Explains a rule, an open point, a vector or all of its cases, a property, a suite, an error code, a status,
 * or a section. Searches the data about services, and then the data about clients.
 * @param id the ID or name to explain; the case of letters does not matter
 * @returns text to print
 * @throws {UsageError} if nothing has this ID; the message suggests the nearest ID
 * @throws {DataError} if the data files are invalid
 */
export function explain(id: string): string {
  const kits = [serviceKit(), clientKit()];
  const all = kits.flatMap(knownIds);
  // A glob of a whole suite or vector, such as `session/**`, names it.
  const given = id.replace(/(?<=.)\/\**$/, "").toLowerCase();
  const name = all.includes(id) ? id : (all.find((known) => known.toLowerCase() === given) ?? id);
  const lines = kits.map((kit) => explainIn(kit, name)).find((found) => found !== undefined);
  if (lines === undefined) {
    const message = unknown("ID", id, all);
    const lists = '; "list", "list --rules", and "list --points" show all';
    throw new UsageError(message + (message.includes(";") ? "" : lists));
  }
  return escapeLines(lines);
}

function explainIn(kit: Kit, id: string): Lines | undefined {
  const rule = kit.contract.rules.get(id);
  if (rule !== undefined) return explainRule(rule, kit);
  const point = kit.contract.openPoints.get(id);
  if (point !== undefined) return explainOpenPoint(point, kit);
  const cases = kit.tests.filter((test) => test.id === id || entryId(test) === id);
  if (cases.length > 0) return explainTests(id, cases, kit);
  if (STATUS_OF_CODE.has(id)) return explainCode(id, kit);
  if (/^[2-5]\d\d$/.test(id)) return explainStatus(Number(id), kit);
  const suite = kit.tests.filter((test) => test.id.startsWith(`${id}/`));
  const section = sectionsOf(kit).find((one) => one.toLowerCase() === id.toLowerCase());
  if (suite.length === 0) return section === undefined ? undefined : explainSection(section, kit);
  return [`${id}  suite of ${plural(suite.length, "test")}`, ...table("vectors", vectorRows(suite))];
}

function knownIds(kit: Kit): Lines {
  const { rules, openPoints } = kit.contract;
  const ids = kit.tests.flatMap((test) => [test.id, entryId(test)]);
  const suites = kit.tests.flatMap(({ id }) => id.split("/", 1));
  const sections = sectionsOf(kit);
  return [...rules.keys(), ...openPoints.keys(), ...ids, ...STATUS_OF_CODE.keys(), ...suites, ...sections];
}

function explainRule(rule: Rule, { contract, vectors }: Kit): Lines {
  const { id, statement, section, level, observable, reason = "", decision } = rule;
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
    ...(decision === undefined ? [] : [field("decision", decision)]),
    ...table("readings that make the rule untestable", hiding),
    ...table("properties", vectorRows(properties)),
    ...table("vectors", observable ? vectorRows(vectors.filter(({ rules }) => rules.includes(id))) : []),
  ];
}

function explainOpenPoint(point: OpenPoint, { vectors }: Kit): Lines {
  const { id, question, section, open, readings, reference, why, observable, reason = "" } = point;
  const allowed = readings.map((reading) => [reading.id, describeReading(reading)]);
  const isShownBy = (step: Step) =>
    ("open" in step && step.open === id) || ("expect" in step && step.expect?.open === id);
  const tests = vectors.filter((test) => stepsOf(test).some(isShownBy));
  return [
    `${id}  ${question}`,
    field("section", section),
    field("open", open),
    ...(observable ? [] : [field("level", `not observable: ${reason}`)]),
    ...table("allowed readings", allowed),
    field("reference", `${reference}: ${why}`),
    ...(observable && tests.length === 0 ? [field("vectors", "all whose responses show the behavior")] : []),
    ...table("vectors", vectorRows(tests)),
  ];
}

function describeReading({ outcome, means, hides }: Reading): string {
  const hidden = hides.length === 0 ? undefined : `makes these rules untestable: ${hides.join(", ")}`;
  return [outcome && formatOutcomes(outcome), means, hidden].filter((part) => part !== undefined).join("; ");
}

/** @param cases the test with this ID, or all cases of a vector */
function explainTests(id: string, cases: readonly Test[], { contract }: Kit): Lines {
  const [first] = cases as readonly [Test];
  const rules = new Set(cases.flatMap((one) => one.rules));
  const needs = new Set(cases.flatMap((one) => one.needs));
  const property = PROPERTIES.find((one) => one === first);
  return [
    `${id}  ${first.title}`,
    property === undefined
      ? field("source", `${fileOf(first.place)}:${first.place.line}`)
      : field("tries", property.tries),
    ...(needs.size === 0 ? [] : [field("needs", [...needs].join(", "))]),
    ...table("rules", [...contract.rules.values()].filter((rule) => rules.has(rule.id)).map(stated)),
    ...table("cases", cases.length > 1 ? cases.map((one) => [one.id]) : []),
    ...(property === undefined ? ["", ...sourceOf(first)] : []),
  ];
}

function explainCode(code: string, { contract, vectors }: Kit): Lines {
  const hasCode = (outcome: Outcome | undefined) => outcome?.codes.includes(code) === true;
  const isExpectedBy = (step: Step) =>
    ("expect" in step && step.expect?.accepted.some(hasCode)) ||
    ("tallies" in step && step.tallies.flat().some(({ outcome }) => hasCode(outcome)));
  const rules = [...contract.rules.values()].filter(
    ({ statement, response }) => statement.includes(code) || hasCode(response),
  );
  const points = [...contract.openPoints.values()].filter(
    ({ question, readings }) => question.includes(code) || readings.some(({ outcome }) => hasCode(outcome)),
  );
  const tests = vectors.filter((test) => stepsOf(test).some(isExpectedBy));
  return [
    `${code}  error code of status ${STATUS_OF_CODE.get(code)}`,
    ...table("rules", rules.map(stated)),
    ...table("open points", points.map(asked)),
    ...table("vectors that expect this code", vectorRows(tests)),
  ];
}

/** Returns undefined if no rule is about the status. */
function explainStatus(status: number, { contract }: Kit): Lines | undefined {
  const codes = [...STATUS_OF_CODE].filter(([, one]) => one === status).map(([code]) => [code]);
  const isAbout = ({ statement, response }: Rule) =>
    response?.status === status || new RegExp(`\\b${status}\\b`).test(statement);
  const rules = [...contract.rules.values()].filter(isAbout);
  if (rules.length === 0) return undefined;
  const kind = status < 400 ? "a success" : "an error";
  return [`${status}  status of ${kind}`, ...table("codes", codes), ...table("rules", rules.map(stated))];
}

function explainSection(section: string, { contract: { rules, openPoints } }: Kit): Lines {
  const isIn = (one: Rule | OpenPoint) => splitSection(one.section).includes(section);
  return [
    `Section "${section}" of the contract`,
    ...table("rules", [...rules.values()].filter(isIn).map(stated)),
    ...table("open points", [...openPoints.values()].filter(isIn).map(asked)),
  ];
}

function sectionsOf({ contract: { rules, openPoints } }: Kit): Lines {
  return [...rules.values(), ...openPoints.values()].flatMap(({ section }) => splitSection(section));
}

/** Returns the headings in a text such as `Limits; Resources and their fields / Session`. */
function splitSection(section: string): Lines {
  return section.split(/; | \/ /);
}

/** Returns the lines of a vector in its file: from its ID to the next vector. */
function sourceOf({ id, place }: Test): Lines {
  const entries = readFileSync(fileOf(place), "utf8").split(/^(?= {2}- id: )/m);
  const entry = entries.find((one) => one.startsWith(`  - id: ${id.split("/")[1]}\n`)) ?? "";
  return entry.trimEnd().split("\n");
}

const stated = ({ id, statement }: Rule) => [id, statement.trim()];
const asked = ({ id, question }: OpenPoint) => [id, question];

/** Returns a row for each vector. The cases of a vector share one row. */
function vectorRows(vectors: readonly Test[]): Rows {
  return [...groupBy(vectors, entryId)].map(([entry, [first, ...others]]) => {
    if (others.length === 0) return [first.id, first.title];
    return [entry, `${first.title} (${others.length + 1} cases)`];
  });
}

function field(label: string, text: string): string {
  return `  ${label.padEnd(9)}  ${text}`;
}

/** Formats rows of two columns under a heading, or nothing if there are none. */
function table(heading: string, rows: Rows): Lines {
  return rows.length === 0 ? [] : [`  ${heading} (${rows.length})`, ...columns(rows, "    ")];
}
