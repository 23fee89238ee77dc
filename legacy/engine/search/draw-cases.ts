import type fc from "fast-check";
import type { PropertyRun } from "../contract.ts";
import { seedOf } from "./seed.ts";

/** How fast-check draws a property's cases: all from one seed, beginning at the first that this run is to try. */
export function drawCases(
  name: string,
  { stage, cases }: PropertyRun,
): Pick<fc.Parameters, "seed" | "numRuns" | "path"> {
  return { seed: seedOf(stage.seed, name), numRuns: cases.count, path: String(cases.from) };
}
