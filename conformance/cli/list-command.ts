import { loadKitData } from "../contract/kit-data.ts";
import { propertiesAtDefault } from "../contract/properties-at-default.ts";
import { DataError } from "../engine/data/data-error.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { select } from "../engine/run/plan.ts";
import type { Suites } from "../engine/vectors/load.ts";
import { traceRules } from "../mutants/traceability.ts";
import { table } from "../reports/table.ts";
import { columns } from "./columns.ts";
import type { Output } from "./output.ts";

export interface ListOptions {
  readonly rules: boolean;
  readonly points: boolean;
  readonly properties: boolean;
  readonly json: boolean;
  readonly only: readonly string[];
}

/** `list`: the vectors, the rules with their vectors, the open points, or the properties. */
export function listCommand(options: ListOptions, output: Output): number {
  const { contract, suites } = loadKitData();
  if (options.rules) output.out(listRules(contract, suites, options.json));
  else if (options.points) output.out(listPoints(contract, options.json));
  else if (options.properties) output.out(listProperties(options.json));
  else output.out(listVectors(suites, options));
  return 0;
}

function listVectors(suites: Suites, { only, json }: ListOptions): string {
  const { chosen, unmatched } = select(suites.vectors, only);
  if (unmatched.length > 0) throw new DataError("--only", `${unmatched.join(", ")} matches no vector`);
  if (json) {
    return asJson(
      chosen.map(({ id, title, rules, place, needs }) => ({
        id,
        title,
        rules,
        source: place,
        needs: [...needs],
      })),
    );
  }
  return `${columns(chosen.map(({ id, title }) => [id, title])).join("\n")}\n${chosen.length} vectors\n`;
}

function listRules(contract: RuleBook, suites: Suites, json: boolean): string {
  const traces = traceRules(contract, suites);
  const rules = [...contract.rules.values()].map((rule) => ({ ...rule, ...traces.get(rule.id) }));
  if (json) return asJson(rules);
  const count = (ids: readonly string[] | undefined) => String(ids?.length ?? 0);
  const rows = rules.map(({ id, level, observable, vectors, properties, mutants, statement }) => [
    id,
    ...(observable
      ? [level, count(vectors), count(properties), count(mutants)]
      : ["unobservable", "-", "-", "-"]),
    statement,
  ]);
  const head = ["rule", "level", "vectors", "properties", "broken services", "statement"];
  return `${table(head, rows)}\n${rules.length} rules\n`;
}

function listPoints(contract: RuleBook, json: boolean): string {
  const points = [...contract.points.values()];
  if (json) return asJson(points);
  const rows = points.map(({ id, reference, question }) => [id, reference, question]);
  return `${table(["open point", "reference", "question"], rows)}\n${points.length} open points\n`;
}

function listProperties(json: boolean): string {
  const properties = propertiesAtDefault();
  if (json) return asJson(properties.map(({ name: _, more: __, ...told }) => told));
  const rows = properties.map(({ id, cases, rules, title }) => [
    id,
    String(cases),
    String(rules.length),
    title,
  ]);
  return `${table(["property", "cases", "rules", "what must hold"], rows)}\n${rows.length} properties\n`;
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
