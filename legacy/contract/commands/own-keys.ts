import type { Step } from "../../engine/vectors/vector.ts";

/** Keys that a person gave a name. Others are random, and as long as they are for a reason. */
const NAMED = /^[A-Za-z0-9_-]{12,64}$/;

/**
 * The same steps under idempotency keys that no other sequence has. A service that forgets too little at a restart
 * would otherwise let one sequence show what another has done, and neither could be played again by itself.
 */
export function withOwnKeys(steps: readonly Step[], number: number): readonly Step[] {
  return steps.map((step) => {
    if (step.kind !== "operation") return step;
    const { key } = step.fields;
    return typeof key === "string" && NAMED.test(key)
      ? { ...step, fields: { ...step.fields, key: ownKey(key, number) } }
      : step;
  });
}

/** As long as before where it is as long as a key can be, and as different from others as before. */
function ownKey(key: string, number: number): string {
  const suffix = `-${number}`;
  return key.length + suffix.length <= 64 ? key + suffix : key.slice(0, 64 - suffix.length) + suffix;
}
