import { allSteps } from "./needs.ts";
import { LAST, placeOf, type VectorOrder } from "./order.ts";
import type { Vector } from "./vector.ts";

/**
 * The vectors as a service is built: by stage; what reaches into a stage from an earlier one after what is of the stage;
 * by place of the suite; and of one suite those of a single rule first. What is alike stays in the order of the files.
 */
export function inOrder(vectors: readonly Vector[], order: VectorOrder | undefined): readonly Vector[] {
  if (order === undefined) return vectors;
  const keyed = vectors.map((vector) => ({ vector, key: keyOf(vector, order) }));
  return keyed.sort((one, other) => compareKeys(one.key, other.key)).map(({ vector }) => vector);
}

function keyOf(vector: Vector, order: VectorOrder): readonly number[] {
  const { rules, steps } = vector;
  const { stageOfVerb } = order;
  const own = placeOf(vector, order);
  const needed = allSteps(steps).map((step) => stageOfVerb.get("verb" in step ? step.verb : step.kind) ?? 0);
  const stage = Math.max(own.stage, ...needed);
  return [stage, stage > own.stage ? 1 : 0, own.index, rules.length > 1 && own !== LAST ? 1 : 0];
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((part, index) => part !== other[index]);
  return place < 0 ? 0 : (one[place] ?? 0) - (other[place] ?? 0);
}
