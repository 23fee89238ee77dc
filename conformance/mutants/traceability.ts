import { SEARCHES } from "../contract/searches.ts";
import type { OpenPoint, RuleBook } from "../engine/rule-book.ts";
import { propertyId } from "../engine/search/property-result.ts";
import type { Suites } from "../engine/vectors/load.ts";
import { allSteps } from "../engine/vectors/needs.ts";
import type { Vector } from "../engine/vectors/vector.ts";
import { mutantsByRule } from "./mutant-index.ts";

/** What stands behind a rule: how it is tried, and how we know that the trial can fail. */
export interface RuleTrace {
  readonly vectors: readonly string[];
  readonly properties: readonly string[];
  /** Entries of the bank of broken services that break the rule, its own ones first. */
  readonly mutants: readonly string[];
}

/** Rule id -> what stands behind it. */
export function traceRules(contract: RuleBook, suites: Suites): ReadonlyMap<string, RuleTrace> {
  const mutants = mutantsByRule(contract);
  return new Map(
    [...contract.rules.keys()].map((id) => [
      id,
      {
        vectors: suites.vectors.filter(({ rules }) => rules.includes(id)).map((vector) => vector.id),
        properties: SEARCHES.properties.filter(({ rules }) => rules.includes(id)).map(propertyId),
        mutants: mutants.get(id) ?? [],
      },
    ]),
  );
}

/** The vectors that are about an open point; one that none is about is seen in passing, in the answers of others. */
export function vectorsOfPoint({ id }: OpenPoint, suites: Suites): readonly Vector[] {
  return suites.vectors.filter(({ steps }) =>
    allSteps(steps).some((step) => {
      if (step.kind === "classify" || step.kind === "custom") return step.open === id;
      return step.expect?.open === id;
    }),
  );
}
