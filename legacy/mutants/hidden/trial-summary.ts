import type { HiddenTrial } from "./try-hidden.ts";

/** Most steps of a vector that a person takes in at once. */
export const MOST_STEPS = 8;
/** Longest search that people wait for, in s. */
const MOST_SECONDS = 30;

/** What to print about hidden faults that were tried, and whether the kit did with each what it promises. */
export interface TrialSummary {
  readonly text: string;
  readonly good: boolean;
}

/**
 * Holds the trials to what the kit promises of every fault: no vector comes upon it, where they were played, and the
 * search does, soon, and makes a short vector of it that fails again and passes on the reference.
 * @param names of all faults that were to be tried
 */
export function summaryOfTrials(names: readonly string[], trials: readonly HiddenTrial[]): TrialSummary {
  const byName = new Map(trials.map((trial) => [trial.name, trial]));
  const all = names.map((name) => ({ name, complaints: complaintsAbout(byName.get(name)) }));
  const wrong = all.filter(({ complaints }) => complaints.length > 0);
  const hidden = trials.filter(isHidden).length;
  const found = trials.filter((trial) => complaintsAbout(trial).length === 0).length;
  const which = trials.some(({ caughtBy }) => caughtBy !== undefined)
    ? `${hidden} of ${names.length} services conform by the vectors alone; the search finds ${found} of these`
    : `the search finds ${found} of ${names.length} services`;
  const lines = [
    ...wrong.map(({ name, complaints }) => `${name}: ${complaints.join("; ")}`),
    `${which} within ${MOST_SECONDS} s each, in at most ${MOST_STEPS} steps that fail again`,
  ];
  return { text: lines.join("\n"), good: wrong.length === 0 };
}

function isHidden({ caughtBy }: HiddenTrial): boolean {
  return caughtBy?.length === 0;
}

function complaintsAbout(trial: HiddenTrial | undefined): readonly string[] {
  if (trial === undefined) return ["was not tried"];
  const { caughtBy = [], found } = trial;
  const visible = caughtBy.length === 0 ? [] : [`is not hidden: ${caughtBy.join(", ")} fail`];
  if (found === undefined) return [...visible, "is not found by the search"];
  return [
    ...visible,
    ...(found.seconds > MOST_SECONDS ? [`is found only after ${found.seconds.toFixed(1)} s`] : []),
    ...(found.steps > MOST_STEPS ? [`takes ${found.steps} steps to show`] : []),
    ...(found.failsAgain ? [] : ["does not fail again in the vector that was made of it"]),
    ...(found.referencePasses ? [] : ["is told as a vector that the reference fails"]),
  ];
}
