import type { PropertyDescription } from "../engine/contract.ts";
import { casesOf } from "../engine/search/cases.ts";
import { DEFAULT_DEPTH, DEFAULT_RUNS } from "../engine/search/default-runs.ts";
import { propertyId } from "../engine/search/property-result.ts";
import { SEARCHES } from "./searches.ts";

/** A property, and how much of it a usual run tries. */
export interface PropertyAtDefault extends PropertyDescription {
  readonly id: string;
  /** Random cases; of the search of every sequence, its sequences. */
  readonly cases: number;
  /** What gives more of them. */
  readonly more: string;
}

/** Every property in the order in which they are tried, the search of every sequence the last. */
export function propertiesAtDefault(): readonly PropertyAtDefault[] {
  const { properties, exhaustive } = SEARCHES;
  return [
    ...properties.map((property) => ({
      ...described(property),
      cases: casesOf(property, DEFAULT_RUNS),
      more: `--runs ${DEFAULT_RUNS * 10}`,
    })),
    {
      ...described(exhaustive),
      cases: exhaustive.count(DEFAULT_DEPTH),
      more: `--exhaustive ${DEFAULT_DEPTH + 1}`,
    },
  ];
}

function described(property: PropertyDescription): PropertyDescription & { readonly id: string } {
  const { name, title, tries, rules, needs } = property;
  return { id: propertyId(property), name, title, tries, rules, needs };
}
