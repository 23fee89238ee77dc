import type { HiddenTrial } from "./try-hidden.ts";

/** Most steps of a vector that a person takes in at once. */
export const MOST_STEPS = 8;
/** Longest search that people wait for, in s. */
const MOST_SECONDS = 30;

/** Faults that the search does not yet show as it should, with what is wanting; told in every run, and never forgotten. */
export const NOT_YET: ReadonlyMap<string, string> = new Map([
  ["whoever built twice may build for another creator", "the vector that is made of it is too long"],
  [
    "once there was a conflict: a spent minute lasts two",
    "the vector that is made of it has a step too many",
  ],
  [
    "once there was a retry: two creators who build in turn share the five",
    "the vector that is made of it leaves out the retry that comes before",
  ],
]);

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
  const unexpected = wrong.filter(({ name }) => !NOT_YET.has(name));
  const lines = [
    ...wrong.map(
      ({ name, complaints }) => `${NOT_YET.has(name) ? "not yet: " : ""}${name}: ${complaints.join("; ")}`,
    ),
    `${which} within ${MOST_SECONDS} s each, in at most ${MOST_STEPS} steps that fail again`,
  ];
  return { text: lines.join("\n"), good: unexpected.length === 0 };
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
