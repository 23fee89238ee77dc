import { loadKitData } from "../contract/kit-data.ts";
import { DataError } from "../engine/data/data-error.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { select } from "../engine/run/plan.ts";
import { DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { columns, table } from "../reports/text-layout.ts";
import type { OptionsOf } from "./options.ts";
import type { Output } from "./output.ts";

/** Options of `list`. */
export type ListOptions = Omit<OptionsOf<"list">, "clients"> & Partial<Pick<OptionsOf<"list">, "clients">>;

/** What is listed: the values that --json prints, and the rows of the table for people. */
interface Listed {
  readonly values: readonly object[];
  readonly rows: readonly (readonly string[])[];
  /** Heads of the columns; without them the rows stand alone. */
  readonly head?: readonly string[];
  /** What the values are called, where they are counted. */
  readonly counted?: string;
}

/** A vector of either side, of which services alone have needs. */
type ListedVector = Pick<Vector, "id" | "title" | "rules" | "place"> & Partial<Pick<Vector, "needs">>;

/** `list`: the vectors, the rules with their vectors, the open points, or the properties, of services or of clients. */
export async function listCommand(options: ListOptions, output: Output): Promise<number> {
  const { values, rows, head, counted } = await (options.clients ? ofClients(options) : ofServices(options));
  if (options.json) {
    output.out(`${JSON.stringify(values, null, 2)}\n`);
    return 0;
  }
  const text = head === undefined ? columns(rows).join("\n") : table(head, rows);
  output.out(`${text}\n${counted === undefined ? "" : `${values.length} ${counted}\n`}`);
  return 0;
}

async function ofServices({ rules, points, properties, only }: ListOptions): Promise<Listed> {
  const { contract, suites } = loadKitData();
  if (rules) {
    // The searches that these load take as long to load as all else.
    const { traceRules } = await import("../mutants/traceability.ts");
    const traces = traceRules(contract, suites);
    const values = [...contract.rules.values()].map((rule) => ({ ...rule, ...traces.get(rule.id) }));
    const count = (ids: readonly string[] | undefined) => String(ids?.length ?? 0);
    const rows = values.map(({ id, level, observable, vectors, properties: tried, mutants, statement }) => [
      id,
      ...(observable
        ? [level, count(vectors), count(tried), count(mutants)]
        : ["unobservable", "-", "-", "-"]),
      statement,
    ]);
    const head = ["rule", "level", "vectors", "properties", "broken services", "statement"];
    return { values, rows, head, counted: "rules" };
  }
  if (points) return listedPoints(contract, "reference");
  if (!properties) return listedVectors(suites.vectors, only);
  const { propertiesAtDefault } = await import("../contract/properties-at-default.ts");
  const all = propertiesAtDefault();
  return {
    values: all.map(({ name: _, more: __, ...told }) => told),
    rows: all.map(({ id, cases, rules: tried, title }) => [id, String(cases), String(tried.length), title]),
    head: ["property", "cases", "rules", "what must hold"],
    counted: "properties",
  };
}

async function ofClients({ rules, points, properties, only }: ListOptions): Promise<Listed> {
  const { loadClientData } = await import("../contract/client/client-data.ts");
  const { contract, suites } = loadClientData();
  if (rules) {
    const values = [...contract.rules.values()].map((rule) => ({
      ...rule,
      vectors: suites.vectors.filter((vector) => vector.rules.includes(rule.id)).map(({ id }) => id),
    }));
    const rows = values.map(({ id, level, observable, vectors, statement }) => [
      id,
      ...(observable ? [level, String(vectors.length)] : ["unobservable", "-"]),
      statement,
    ]);
    return { values, rows, head: ["rule", "level", "vectors", "statement"], counted: "rules" };
  }
  if (points) return listedPoints(contract, "example");
  if (!properties) return listedVectors(suites.vectors, only);
  const { searchId } = await import("../engine/client/search-result.ts");
  const { search } = contract;
  const values =
    search === undefined
      ? []
      : [{ id: searchId(search), title: search.title, rules: search.rules, runs: DEFAULT_SCRIPTS }];
  const rows = values.map((one) => [one.id, one.rules.join(", "), one.title]);
  return { values, rows, head: ["property", "rules", "title"] };
}

/** @throws {DataError} where a glob matches no vector */
function listedVectors(vectors: readonly ListedVector[], only: readonly string[]): Listed {
  const { chosen, unmatched } = select(vectors, only);
  if (unmatched.length > 0) throw new DataError("--only", `${unmatched.join(", ")} matches no vector`);
  const values = chosen.map(({ id, title, rules, place, needs }) => ({
    id,
    title,
    rules,
    source: place,
    ...(needs === undefined ? {} : { needs: [...needs] }),
  }));
  return { values, rows: chosen.map(({ id, title }) => [id, title]), counted: "vectors" };
}

function listedPoints({ points }: Pick<RuleBook, "points">, chooser: string): Listed {
  const values = [...points.values()];
  const rows = values.map(({ id, reference, question }) => [id, reference, question]);
  return { values, rows, head: ["open point", chooser, "question"], counted: "open points" };
}
