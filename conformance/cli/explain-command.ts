import { basename } from "node:path";
import { loadKitData } from "../contract/kit-data.ts";
import { type PropertyAtDefault, propertiesAtDefault } from "../contract/properties-at-default.ts";
import { suggestion } from "../engine/data/schema.ts";
import type { OpenPoint, Rule, RuleBook } from "../engine/rule-book.ts";
import type { Suites } from "../engine/vectors/load.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { referenceProgram } from "../mutants/program.ts";
import { loadMutants, type MutantSuite } from "../mutants/suite.ts";
import { traceRules, vectorsOfPoint } from "../mutants/traceability.ts";
import { PATHS } from "../paths.ts";
import { clientIds, explainedClient } from "./explain-client.ts";
import { explainBroken, explainLegal } from "./explain-entry.ts";
import { lines, readings, said, sourceOf, statements, titles } from "./explained.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** `explain`: what a rule, an open point, a vector, a property or a mutant is about. */
export function explainCommand(id: string, output: Output): number {
  const { contract, suites } = loadKitData();
  const bank = loadMutants("services", contract);
  const rule = contract.rules.get(id);
  const point = contract.points.get(id);
  const vectors = suites.vectors.filter((vector) => vector.id === id || vector.id.startsWith(`${id}/`));
  const property = propertiesAtDefault().find((candidate) => candidate.id === id);
  const broken = bank.broken.find((entry) => entry.id === id);
  const legal = bank.legal.find((entry) => entry.id === id);
  if (rule !== undefined) output.out(explainRule(rule, contract, suites));
  else if (point !== undefined) output.out(explainPoint(point, suites, bank));
  else if (vectors.length > 0)
    output.out(vectors.map((vector) => explainVector(vector, contract)).join("\n"));
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
      `"${id}" is no rule, open point, vector, property, service or client of the bank${suggestion(id, known)}; \`list\` shows them`,
    );
  }
  return 0;
}

function explainRule(rule: Rule, contract: RuleBook, suites: Suites): string {
  const trace = traceRules(contract, suites).get(rule.id);
  const tested = suites.vectors.filter(({ rules }) => rules.includes(rule.id));
  const properties = propertiesAtDefault().filter(({ rules }) => rules.includes(rule.id));
  const broken = loadMutants("services", contract).broken.filter(({ id }) => trace?.mutants.includes(id));
  return lines([
    `${rule.id}  ${rule.statement}`,
    said("level", `${rule.level}${rule.observable ? "" : ", not observable from outside"}`),
    said("section", `contract, "${rule.section}"`),
    ...(rule.reason === undefined ? [] : [said("reason", rule.reason)]),
    ...(rule.observable ? [said("vectors", String(tested.length)), ...titles(tested)] : []),
    ...(properties.length === 0 ? [] : [said("properties", String(properties.length))]),
    ...titles(properties),
    ...(broken.length === 0 ? [] : ["  how a service breaks it"]),
    ...titles(broken.map(({ id, title, why }) => ({ id, title: `${title}: ${why}` }))),
  ]);
}

function explainPoint(point: OpenPoint, suites: Suites, bank: MutantSuite): string {
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

function explainVector(vector: Vector, contract: RuleBook): string {
  return lines([
    `${vector.id}  ${vector.title}`,
    said("at", `${vector.place.file}:${vector.place.line}`),
    ...statements("rule", vector.rules, contract),
    said("needs", [...vector.needs].join(", ") || "nothing"),
    "",
    sourceOf(vector.id, PATHS.suites, basename(vector.place.file)),
  ]);
}
