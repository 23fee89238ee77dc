import { createHash } from "node:crypto";

/** The seed of one property: the run's seed and the property's name make it, so that properties do not draw alike. */
export function seedOf(seed: number, name: string): number {
  return createHash("sha256").update(`${seed} ${name}`).digest().readInt32LE(0);
}
