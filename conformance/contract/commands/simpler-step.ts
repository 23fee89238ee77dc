import type { OperationStep, Step } from "../../engine/vectors/vector.ts";

/** What a build can do without, in the order in which readers like to be spared it. */
const NEEDLESS = ["spelling", "session", "mint", "symbol", "uri", "name", "key"];
const USUAL_KEY = "key-number-1";

/** Forms of a step with less to it, the simplest first. */
export function simplerStep(step: Step): readonly Step[] {
  if (step.kind !== "operation" || step.verb !== "build") return [];
  const { key } = step.fields;
  return [
    ...NEEDLESS.filter((name) => Object.hasOwn(step.fields, name)).map((name) => without(step, name)),
    ...(typeof key === "string" && key !== USUAL_KEY
      ? [{ ...step, fields: { ...step.fields, key: USUAL_KEY } }]
      : []),
  ];
}

function without(step: OperationStep, name: string): OperationStep {
  const { [name]: _, ...fields } = step.fields;
  return { ...step, fields };
}
