import type { RuleBook } from "../../engine/rule-book.ts";
import type { Release } from "./release.ts";

/** What the kit has now, as the release of this version. */
export function freeze(
  version: string,
  contract: RuleBook,
  digest: string,
  vectors: ReadonlyMap<string, string>,
  properties: readonly string[],
): Release {
  const rules = [...contract.rules.values()].map(
    ({ id, level, observable }) => [id, observable ? level : "unobservable"] as const,
  );
  return { version, digest, rules: new Map(rules), vectors, properties: new Set(properties) };
}
