import { clientRuleBook } from "../../contract/client/client-rule-book.ts";
import { type OpenApi, openapi } from "../../contract/openapi.ts";
import { AUDIENCE, CONTRACT_ID, LIFETIME_MS, ROUTES, STORE_OF } from "../../contract/operations.ts";
import { ruleBook } from "../../contract/rule-book.ts";

/** What names something of the contract and of nothing else, taken from its data. */
export interface ContractWords {
  /** Names of members, operations and stores, error codes and other fixed texts. */
  readonly names: ReadonlySet<string>;
  /** Ids of rules and open points. */
  readonly ids: ReadonlySet<string>;
  /** Paths, up to the first part that a request fills in. */
  readonly paths: ReadonlySet<string>;
  /** Lifetimes, in ms. */
  readonly numbers: ReadonlySet<number>;
}

/** The words of the contract. @throws {DataError} for a fault in its data files */
export function contractWords(): ContractWords {
  const { rules, points } = ruleBook();
  const readings = [...points.values()].flatMap((point) => point.readings);
  return {
    names: new Set([
      ...openapiNames(openapi()),
      ...readings.flatMap(({ outcome }) => outcome?.codes ?? []),
      ...Object.keys(ROUTES),
      ...Object.keys(LIFETIME_MS),
      ...Object.values(STORE_OF),
      AUDIENCE,
      CONTRACT_ID,
    ]),
    ids: new Set([
      ...rules.keys(),
      ...points.keys(),
      ...clientRuleBook().rules.keys(),
      ...clientRuleBook().points.keys(),
    ]),
    paths: new Set(Object.keys(openapi().paths).map((path) => path.split("{")[0] ?? "")),
    numbers: new Set(Object.values(LIFETIME_MS)),
  };
}

/** Names of operations, of the headers that they take, and what the schemas hold. */
function openapiNames({ paths, components }: OpenApi): readonly string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const headers = operations.flatMap(({ parameters = [] }) =>
    parameters.filter(({ in: at }) => at === "header"),
  );
  return [
    ...operations.map(({ operationId }) => operationId),
    ...headers.map(({ name }) => name),
    ...schemaNames(components.schemas),
  ];
}

/** Names of members and fixed texts, at any depth of a schema. */
function schemaNames(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties, const: only, enum: some } = schema as Readonly<Record<string, unknown>>;
  const texts = [only, ...(Array.isArray(some) ? some : [])].filter((text) => typeof text === "string");
  return [...Object.keys(properties ?? {}), ...texts, ...Object.values(schema).flatMap(schemaNames)];
}
