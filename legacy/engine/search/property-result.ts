import type { PropertyDescription, PropertyOutcome } from "../contract.ts";
import type { Result } from "../play/result.ts";

/** Id of a property in reports and on the command line. */
export function propertyId({ name }: Pick<PropertyDescription, "name">): string {
  return `property/${name}`;
}

/** The result of a property that was tried. */
export function propertyResult(property: PropertyDescription, outcome: PropertyOutcome): Result {
  const { failure, vector, trace, observations, advice, looked } = outcome;
  return {
    ...untriedProperty(property, failure === undefined ? "passed" : "failed"),
    rules: [...new Set([...property.rules, ...(failure?.rules ?? [])])],
    failures: failure === undefined ? [] : [failure],
    observations,
    advice,
    trace,
    ...(looked === undefined ? {} : { looked }),
    ...(vector === undefined ? {} : { vector }),
  };
}

/** The result of a property with nothing to show for it. */
export function untriedProperty(
  property: PropertyDescription,
  outcome: Result["outcome"],
  why: { readonly reason?: string; readonly lacks?: readonly string[] } = {},
): Result {
  return {
    id: propertyId(property),
    kind: "property",
    title: property.title,
    rules: property.rules,
    outcome,
    ...why,
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}
