import type { Stage } from "../contract.ts";

/** What the labels of all people and things of a run begin with: its seed, and its salt where it has one. */
export function runLabel({ seed, salt }: Pick<Stage, "seed" | "salt">): string {
  return salt === undefined ? `${seed}` : `${seed} ${salt}`;
}
