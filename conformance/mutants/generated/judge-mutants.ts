import { fileURLToPath } from "node:url";
import { performAll } from "../pool.ts";
import type { GeneratedMutant } from "./generate.ts";
import type { MutantOutcome } from "./judge-mutant.ts";
import type { JudgedMutant } from "./mutation-summary.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

/** A usual run takes some seconds, and on a busy machine more than a minute; what takes longer is in a loop. */
const TIME_LIMIT_MS = 180_000;

/** Judges the mutants in processes side by side, and gives them in their order. */
export async function judgeMutants(
  mutants: readonly GeneratedMutant[],
  workers: number,
  onProgress: (done: number, total: number) => void,
): Promise<readonly JudgedMutant[]> {
  const outcomes = new Map<string, MutantOutcome>();
  await performAll<{ readonly id: string }, MutantOutcome>({
    program: WORKER,
    jobs: mutants.map(({ id }) => ({ id })),
    workers,
    timeLimitMs: TIME_LIMIT_MS,
    lost: ({ id }) => ({ id, fate: "broke", by: "its process ended, or took too long" }),
    onOutcome: (outcome) => {
      outcomes.set(outcome.id, outcome);
      onProgress(outcomes.size, mutants.length);
    },
  });
  return mutants.flatMap((mutant) => {
    const outcome = outcomes.get(mutant.id);
    return outcome === undefined ? [] : [{ ...mutant, outcome }];
  });
}
