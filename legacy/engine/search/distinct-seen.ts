import type { Advice, Observation } from "../play/judgement.ts";

/** What many cases showed, each thing once. */
export function distinctSeen(
  runs: Iterable<{ readonly observations: readonly Observation[]; readonly advice: readonly Advice[] }>,
): { readonly observations: readonly Observation[]; readonly advice: readonly Advice[] } {
  const observations = new Map<string, Observation>();
  const advice = new Map<string, Advice>();
  for (const run of runs) {
    for (const seen of run.observations) observations.set(`${seen.point} ${seen.reading}`, seen);
    for (const given of run.advice) advice.set(`${given.rule} ${given.message}`, given);
  }
  return { observations: [...observations.values()], advice: [...advice.values()] };
}
