import { join } from "node:path";
import { type Contract, readContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { matchGlobs } from "../run/plan.ts";
import { loadKitVectors } from "../suite/load.ts";
import type { Vector } from "../suite/vector.ts";
import type { Options } from "./options.ts";

type Rows = readonly (readonly string[])[];

/**
 * Lists the vectors, the rules, or the open points.
 * @returns text to print
 * @throws {DataError} if the data files have faults, or a glob matches no vector
 */
export function list({ rules, points, json, only = [] }: Options): string {
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const vectors = loadKitVectors(contract);
  const { items, rows, kind } = rules
    ? listRules(contract, vectors)
    : points
      ? listOpenPoints(contract)
      : listVectors(matchGlobs(vectors, only));
  if (json) return `${JSON.stringify(items, null, 2)}\n`;
  return `${rows.join("\n")}\n${items.length} ${kind}\n`;
}

function listVectors(vectors: readonly Vector[]) {
  const items = vectors.map(({ id, title, rules, place, needs }) => ({
    id,
    title,
    rules,
    source: place,
    needs: [...needs],
  }));
  return { items, rows: columns(items.map(({ id, title }) => [id, title])), kind: "vectors" };
}

function listRules({ rules }: Contract, vectors: readonly Vector[]) {
  const items = [...rules.values()].map((rule) => ({
    ...rule,
    vectors: vectors.filter((vector) => vector.rules.includes(rule.id)).map(({ id }) => id),
  }));
  const rows = items.map(({ id, level, observable, vectors: tests, statement }) => [
    id,
    ...(observable ? [level, String(tests.length)] : ["unobservable", "-"]),
    statement,
  ]);
  return { items, rows: table(["rule", "level", "vectors", "statement"], rows), kind: "rules" };
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
function columns(rows: Rows, indent = "", gap = "  "): readonly string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    (indent + row.map((text, index) => text.padEnd(widths[index] ?? 0)).join(gap)).trimEnd(),
  );
}
