import type { Probe } from "./mortal.ts";

/** When something ended: the first ms of its life at which it was over lies in this span, both ends included. */
export interface End {
  readonly fromMs: number;
  /** Infinity where it was never seen to be over. */
  readonly toMs: number;
}

/** Something that can be begun anew, as often as it takes, at instants that are alike. */
export interface Trial {
  readonly lifetimeMs: number;
  readonly once: boolean;
  readonly mayLinger: boolean;
  /** Begins another at the next such instant. */
  begin(): Promise<Probe>;
  /** Begins another beside the last, at the same instant. */
  beside(): Promise<Probe>;
  /** Moves to so many ms after the last beginning. */
  age(ms: number): Promise<void>;
}

/** A clock of whole seconds ends nothing further from its time than this. */
const NEAR_MS = 1_100;
/** Ages at which it is asked whether what may linger still lives, in ms. */
const LINGERING_MS = [45_000, 61_100, 121_100, 301_100, 602_000, 1_802_000, 3_602_000, 90_000_000];

/**
 * Finds when something ends. What keeps time to the millisecond shows it by two questions; anything else is halved,
 * beginning anew for each question, so that nothing depends on having been asked before.
 * @param guesses ends that are likely, in ms, since others ended there
 */
export async function findEnd(trial: Trial, guesses: readonly number[]): Promise<End> {
  const { lifetimeMs, once } = trial;
  const first = await trial.begin();
  const second = once ? await trial.beside() : first;
  await trial.age(lifetimeMs - 1);
  const lives = await first();
  if (lives) {
    await trial.age(lifetimeMs + 1);
    if (!(await second())) return { fromMs: lifetimeMs, toMs: lifetimeMs + 1 };
  }
  for (const guess of guesses) {
    const likely = lives ? guess >= lifetimeMs : guess < lifetimeMs;
    if (likely && !(await livesAt(trial, guess)) && (await livesAt(trial, guess - 1)))
      return { fromMs: guess, toMs: guess };
  }
  if (!lives) {
    const least = lifetimeMs - NEAR_MS;
    if (!(await livesAt(trial, least))) return { fromMs: 0, toMs: least };
    return halve(trial, least, lifetimeMs - 1);
  }
  let alive = lifetimeMs - 1;
  for (const age of [lifetimeMs + NEAR_MS, ...(trial.mayLinger ? LINGERING_MS : [])]) {
    if (!(await livesAt(trial, age))) return halve(trial, alive, age);
    alive = age;
  }
  return { fromMs: alive + 1, toMs: Number.POSITIVE_INFINITY };
}

/** @param alive an age at which it lived; @param over one at which it did not */
async function halve(trial: Trial, alive: number, over: number): Promise<End> {
  let [from, to] = [alive, over];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (await livesAt(trial, middle)) from = middle;
    else to = middle;
  }
  return { fromMs: to, toMs: to };
}

async function livesAt(trial: Trial, age: number): Promise<boolean> {
  const probe = await trial.begin();
  await trial.age(age);
  return probe();
}
