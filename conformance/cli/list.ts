import { loadTrials } from "../clients/load.ts";
import { type Contract, readClientContract, readServiceContract } from "../contract/contract.ts";
import { PROPERTIES } from "../properties/index.ts";
import type { Kit } from "../report/merge.ts";
import { matchGlobs } from "../run/plan.ts";
import { loadKitVectors } from "../suite/load.ts";
import type { Test } from "../suite/vector.ts";
import type { Options } from "./options.ts";

export type Rows = readonly (readonly string[])[];

/** @throws {DataError} if the data files are invalid */
export function serviceKit(): Kit {
  const contract = readServiceContract();
  const vectors = loadKitVectors(contract);
  return { contract, vectors, tests: [...vectors, ...PROPERTIES] };
}

/** @throws {DataError} if the data files are invalid */
export function clientKit(): Kit {
  const contract = readClientContract();
  const vectors = loadTrials(contract);
  return { contract, vectors, tests: vectors };
}

/**
 * Lists the tests, the rules, or the open points, of services or of clients.
 * @returns text to print
 * @throws {DataError} if the data files are invalid, or a glob matches no test
 */
export function list({ clients, rules, points, json, only = [] }: Options): string {
  const { contract, tests } = clients ? clientKit() : serviceKit();
  const { items, rows, kind } = rules
    ? listRules(contract, tests)
    : points
      ? listOpenPoints(contract)
      : listTests(matchGlobs(tests, only));
  if (json) return `${JSON.stringify(items, null, 2)}\n`;
  return `${rows.join("\n")}\n${items.length} ${kind}\n`;
}

function listTests(tests: readonly Test[]) {
  const items = tests.map(({ id, title, rules, place: source, needs }) => {
    return { id, title, rules, source, needs };
  });
  return { items, rows: columns(items.map(({ id, title }) => [id, title])), kind: "vectors and properties" };
}

function listRules({ rules }: Contract, tests: readonly Test[]) {
  const items = [...rules.values()].map((rule) => ({
    ...rule,
    tests: tests.filter((test) => test.rules.includes(rule.id)).map(({ id }) => id),
  }));
  const rows = items.map(({ id, level, observable, tests: own, statement }) => [
    id,
    ...(observable ? [level, String(own.length)] : ["unobservable", "-"]),
    statement,
  ]);
  return { items, rows: table(["rule", "level", "tests", "statement"], rows), kind: "rules" };
}

function listOpenPoints({ openPoints }: Contract) {
  const items = [...openPoints.values()];
  const rows = items.map(({ id, reference, question }) => [id, reference, question]);
  return { items, rows: table(["open point", "reference", "question"], rows), kind: "open points" };
}

function table(head: readonly string[], rows: Rows): readonly string[] {
  return columns([head, ...rows], "  ", "   ");
}

/** Aligns the columns of a table. Each column is as wide as its widest text. */
export function columns(rows: Rows, indent = "", gap = "  "): readonly string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    (indent + row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(gap)).trimEnd(),
  );
}
