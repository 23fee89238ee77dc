import type { Property } from "../contract.ts";

/** How many random cases of a property a run of so many tries. */
export function casesOf({ perRun = 1 }: Pick<Property, "perRun">, runs: number): number {
  return Math.ceil(runs * perRun);
}
