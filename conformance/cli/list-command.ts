import { loadKitData } from "../contract/kit-data.ts";
import { DataError } from "../engine/data/data-error.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { select } from "../engine/run/plan.ts";
import type { Suites } from "../engine/vectors/load.ts";
import { columns } from "../reports/columns.ts";
import type { ClientListOptions } from "./list-clients.ts";
import type { Output } from "./output.ts";

export interface ListOptions extends ClientListOptions {
  readonly properties: boolean;
  /** Whether those for clients are meant. */
  readonly clients?: boolean;
}

/** `list`: the vectors, the rules with their vectors, the open points, or the properties. */
export async function listCommand(options: ListOptions, output: Output): Promise<number> {
  if (options.clients) {
    const { clientsList } = await import("./list-clients.ts");
    output.out(clientsList(options));
    return 0;
  }
  const { contract, suites } = loadKitData();
  if (options.rules) output.out(await listRules(contract, suites, options.json));
  else if (options.points) output.out(await listPoints(contract, options.json));
  else if (options.properties) output.out(await listProperties(options.json));
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

async function listRules(contract: RuleBook, suites: Suites, json: boolean): Promise<string> {
  // The searches that these load take as long to load as all else.
  const { traceRules } = await import("../mutants/traceability.ts");
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
  return `${await tableOf(head, rows)}\n${rules.length} rules\n`;
}

async function listPoints(contract: RuleBook, json: boolean): Promise<string> {
  const points = [...contract.points.values()];
  if (json) return asJson(points);
  const rows = points.map(({ id, reference, question }) => [id, reference, question]);
  return `${await tableOf(["open point", "reference", "question"], rows)}\n${points.length} open points\n`;
}

async function listProperties(json: boolean): Promise<string> {
  const { propertiesAtDefault } = await import("../contract/properties-at-default.ts");
  const properties = propertiesAtDefault();
  if (json) return asJson(properties.map(({ name: _, more: __, ...told }) => told));
  const rows = properties.map(({ id, cases, rules, title }) => [
    id,
    String(cases),
    String(rules.length),
    title,
  ]);
  return `${await tableOf(["property", "cases", "rules", "what must hold"], rows)}\n${rows.length} properties\n`;
}

async function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
  const { table } = await import("../reports/table.ts");
  return table(head, rows);
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
