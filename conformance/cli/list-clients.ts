import { loadClientData } from "../contract/client/client-data.ts";
import type { ClientContract } from "../engine/client/client-contract.ts";
import { searchId } from "../engine/client/search-result.ts";
import { DataError } from "../engine/data/data-error.ts";
import { select } from "../engine/run/plan.ts";
import { DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import { columns } from "../reports/columns.ts";
import { table } from "../reports/table.ts";

/** What of clients is listed, and how. */
export interface ClientListOptions {
  readonly rules: boolean;
  readonly points: boolean;
  readonly properties: boolean;
  readonly json: boolean;
  readonly only: readonly string[];
}

/** What is searched for in clients. */
function clientSearches({ search }: ClientContract) {
  return search === undefined
    ? []
    : [{ id: searchId(search), title: search.title, rules: search.rules, runs: DEFAULT_SCRIPTS }];
}

/** What `list --clients` prints: the vectors for clients, what is searched for, the rules with how many try each, or what is left open. */
export function clientsList({ rules, points, properties, only, json }: ClientListOptions): string {
  const { contract, suites } = loadClientData();
  if (rules) {
    const all = [...contract.rules.values()].map((rule) => ({
      ...rule,
      vectors: suites.vectors.filter((vector) => vector.rules.includes(rule.id)).map(({ id }) => id),
    }));
    const rows = all.map(({ id, level, observable, vectors, statement }) => [
      id,
      ...(observable ? [level, String(vectors.length)] : ["unobservable", "-"]),
      statement,
    ]);
    const text = table(["rule", "level", "vectors", "statement"], rows);
    return json ? asJson(all) : `${text}\n${all.length} rules\n`;
  }
  if (points) {
    const all = [...contract.points.values()];
    const rows = all.map(({ id, reference, question }) => [id, reference, question]);
    const text = table(["open point", "example", "question"], rows);
    return json ? asJson(all) : `${text}\n${all.length} open points\n`;
  }
  if (properties) {
    const all = clientSearches(contract);
    const text = table(
      ["property", "rules", "title"],
      all.map((one) => [one.id, one.rules.join(", "), one.title]),
    );
    return json ? asJson(all) : `${text}\n`;
  }
  const { chosen, unmatched } = select(suites.vectors, only);
  if (unmatched.length > 0) throw new DataError("--only", `${unmatched.join(", ")} matches no vector`);
  if (json) return asJson(chosen.map(({ id, title, rules, place }) => ({ id, title, rules, source: place })));
  return `${columns(chosen.map(({ id, title }) => [id, title])).join("\n")}\n${chosen.length} vectors\n`;
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
