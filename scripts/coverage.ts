/**
 * Writes vectors/coverage.md: the rules and open points of each section of the contract, and their tests; and
 * vectors/transformations.md: the functions on texts, and the places of requests where vectors apply them.
 * Usage: coverage.ts [--check]: with --check, exit status 1 if a page is not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { serviceKit } from "../conformance/cli/list.ts";
import { readFilledFile } from "../conformance/contract/constants.ts";
import type { OpenPoint, Rule } from "../conformance/contract/contract.ts";
import { DATA_FOLDER } from "../conformance/data/kit-files.ts";
import { readEntries } from "../conformance/mutants/entries.ts";
import { PROPERTIES } from "../conformance/properties/index.ts";
import { suiteFiles } from "../conformance/suite/load.ts";
import { readTransformations, type Transformation } from "../conformance/suite/transformations.ts";
import { formsOf, type TransformedTexts } from "../conformance/suite/transformed.ts";
import { stepsOf, type Test } from "../conformance/suite/vector.ts";

const PAGE = "vectors/coverage.md";
const { contract, vectors } = serviceKit();
const mutants = readEntries(contract).filter((entry) => entry.kind === "mutant");

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [row(...head), row(...head.map(() => "---")), ...rows, ""];
}

/** Returns the number of vectors that test a rule in each suite, largest number first. */
function suitesOf(id: string): string {
  const counts = new Map<string, number>();
  for (const { place } of vectors.filter(({ rules }) => rules.includes(id))) {
    const suite = basename(place.file, ".yaml");
    counts.set(suite, (counts.get(suite) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([suite, count]) => `${suite}:${count}`).join(" ");
}

function ruleRow({ id, level, observable, reason = "" }: Rule): string {
  if (!observable) return row(id, level, `not observable: ${reason}`, "", "");
  const properties = PROPERTIES.filter(({ rules }) => rules.includes(id)).map((one) => one.id.split("/")[1]);
  const breaking = mutants.filter(({ breaks }) => breaks.includes(id)).length;
  return row(id, level, suitesOf(id), properties.join(", "), breaking || "");
}

/** Returns the open points that the response of a step determines. */
function pointsIn(test: Test): readonly string[] {
  return stepsOf(test).flatMap((step) => [
    ...("open" in step && step.open !== undefined ? [step.open] : []),
    ...("expect" in step && step.expect?.open !== undefined ? [step.expect.open] : []),
  ]);
}

const vectorsOfPoint = new Map<string, number>();
for (const vector of vectors)
  for (const point of new Set(pointsIn(vector)))
    vectorsOfPoint.set(point, (vectorsOfPoint.get(point) ?? 0) + 1);

/** Returns an open point with the number of vectors that observe it, or the reason why none does. */
function pointText({ id, observable, reason = "" }: OpenPoint): string {
  return observable ? `${id}:${vectorsOfPoint.get(id) ?? "all"}` : `${id} (${reason})`;
}

const rules = [...contract.rules.values()];
const points = [...contract.openPoints.values()];
const sections = [
  ...new Set([...rules, ...points].map(({ section }) => section.split("; ")[0] ?? "")),
].sort();
const isIn = (section: string) => (one: Rule | OpenPoint) => one.section.split("; ")[0] === section;
const page = [
  "<!-- Written by `npm run coverage` from the data. Do not edit. -->",
  "# Coverage",
  "",
  `${rules.length} rules and ${points.length} open points, by the section of the contract that they come from. For each rule, the`,
  "table lists the number of vectors that test it in each suite, the properties that test it, and the number of",
  "mutants that violate it. For the details of a rule, run `explain ID`.",
  "",
  ...sections.flatMap((section) => [
    `## ${section}`,
    "",
    ...table(
      ["rule", "level", "vectors by suite", "properties", "mutants"],
      rules.filter(isIn(section)).map(ruleRow),
    ),
    ...points
      .filter(isIn(section))
      .slice(0, 1)
      .map(() => "Open points, with the number of vectors that observe each:"),
    ...wrapped(points.filter(isIn(section)).map(pointText)),
  ]),
].join("\n");

/** Joins texts with commas, wraps the result into lines, and adds an empty line. */
function wrapped(texts: readonly string[]): readonly string[] {
  return texts.length === 0
    ? []
    : [`${texts.join(", ")}.`.replace(/(.{1,110})(?: |$)/g, "$1\n").trimEnd(), ""];
}

const { functions } = readTransformations();
const families = Object.entries(functions);
const entries = suiteFiles(join(DATA_FOLDER, "suites")).flatMap((file) => {
  const suite = readFilledFile(file).value as { readonly vectors: readonly Partial<TransformedEntry>[] };
  return suite.vectors.filter((entry): entry is TransformedEntry => entry.transformed !== undefined);
});

interface TransformedEntry {
  readonly id: string;
  readonly transformed: TransformedTexts;
}

/** Returns the functions for which a vector has no form, by reason. */
function missingForms({ transformed }: TransformedEntry): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const [family, list] of families)
    for (const entry of list) {
      const found = formsOf(entry, transformed);
      const isLeftOut = !(transformed.families ?? [family]).includes(family);
      const reason = isLeftOut ? "the family does not fit the place" : found;
      if (typeof reason === "string")
        byReason.set(reason, [...(byReason.get(reason) ?? []), isLeftOut ? family : entry.name]);
    }
  return [...byReason].map(([reason, names]) => `- ${reason}: ${[...new Set(names)].join(", ")}`);
}

function countForms({ transformed }: TransformedEntry, family: string, list: readonly Transformation[]) {
  if (!(transformed.families ?? [family]).includes(family)) return "";
  return list.filter((entry) => typeof formsOf(entry, transformed) !== "string").length || "";
}

const transformationsPage = [
  "<!-- Written by `npm run coverage` from the data. Do not edit. -->",
  "# Transformations",
  "",
  "[The table of transformations](tables/transformations.yaml) lists functions on texts. The vectors below send",
  "texts that a service would confuse if it applied such a function. The table shows the",
  "number of functions that each vector tests, by family. The number of functions in a family is in its heading.",
  "",
  ...table(
    ["vector", ...families.map(([family, list]) => `${family} (${list.length})`)],
    entries.map((entry) =>
      row(entry.id, ...families.map(([family, list]) => countForms(entry, family, list))),
    ),
  ),
  "For the other functions, the reason is:",
  "",
  ...entries.flatMap((entry) => [`## ${entry.id}`, "", ...missingForms(entry), ""]),
].join("\n");

const isCheck = process.argv.includes("--check");
for (const [file, text] of [
  [PAGE, page],
  ["vectors/transformations.md", transformationsPage],
] as const)
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    process.stderr.write(`${file} is out of date; run "npm run coverage"\n`);
    process.exitCode = 1;
  }
