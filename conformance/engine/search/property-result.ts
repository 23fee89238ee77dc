import type { Result } from "../play/result.ts";
import type { Property, PropertyOutcome } from "./property.ts";

type Named = Pick<Property, "name" | "title" | "rules">;

/** Id of a property in reports and on the command line. */
export function propertyId({ name }: Pick<Property, "name">): string {
  return `property/${name}`;
}

/** The result of a property that was tried. */
export function propertyResult(property: Named, outcome: PropertyOutcome): Result {
  const { failure, vector, trace, observations, advice } = outcome;
  return {
    ...untriedProperty(property, failure === undefined ? "passed" : "failed"),
    rules: [...new Set([...property.rules, ...(failure?.rules ?? [])])],
    failures: failure === undefined ? [] : [failure],
    observations,
    advice,
    trace,
    ...(vector === undefined ? {} : { vector }),
  };
}

/** The result of a property with nothing to show for it. */
export function untriedProperty(property: Named, outcome: Result["outcome"], reason?: string): Result {
  return {
    id: propertyId(property),
    kind: "property",
    title: property.title,
    rules: property.rules,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}
