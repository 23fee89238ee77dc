import type { Connection } from "../../adapters/adapter.ts";
import type { Grace, Life, Timekeeping } from "../../engine/play/timekeeping.ts";
import { Bench, Unmeasurable } from "./bench.ts";
import type { EndAtPhase } from "./clock-of-steps.ts";
import { findEnd, type Trial } from "./find-end.ts";
import { judgeLife, unmeasuredLife } from "./judge-life.ts";
import { MORTALS, type Mortal } from "./mortal.ts";
import type { StatedAt } from "./stated-end.ts";

/** Where in a second things begin whose ends are looked for, in ms: a clock of steps shows itself by the differences. */
const PHASES_MS = [0, 137, 403, 571, 998];
const SECOND_MS = 1000;
/** Between two beginnings: no limiter of builds minds so many in so long. */
const APART_MS = 61_000;

/**
 * Measures how long challenges, sessions and drafts live, so that a service that counts time in whole seconds is not
 * failed for what that does, and one that counts milliseconds is held to them (open point CLOCK-RESOLUTION).
 */
export async function measureTimekeeping(
  connection: Connection,
  label: string,
  startMs: number,
): Promise<Timekeeping> {
  const bench = await Bench.start(connection, label, startMs);
  const lives: Life[] = [];
  for (const mortal of MORTALS) lives.push(await measureLife(mortal, bench));
  return { lives, others: coarsest(lives) };
}

/** What was not measured by itself may be kept by the coarsest clock that was seen. */
function coarsest(lives: readonly Life[]): Grace {
  const stepMs = Math.max(...lives.map((life) => life.stepMs));
  return {
    earlyMs: lives.some(({ earlyMs }) => earlyMs > 0) ? stepMs - 1 : 0,
    lateMs: stepMs > 1 ? stepMs : 0,
  };
}

/** Measures how long one kind of things lives. */
async function measureLife(mortal: Mortal, bench: Bench): Promise<Life> {
  const ends: EndAtPhase[] = [];
  const stated: StatedAt[] = [];
  try {
    for (const phaseMs of PHASES_MS) {
      const end = await findEnd(
        new TrialAtPhase(mortal, bench, phaseMs, stated),
        guesses(mortal, ends, phaseMs),
      );
      ends.push({ phaseMs, ...end });
      // So far off, it makes no difference where in a second it began.
      if (end.toMs - end.fromMs > 1) break;
    }
  } catch (error) {
    if (error instanceof Unmeasurable) return unmeasuredLife(mortal);
    throw error;
  }
  return judgeLife(mortal, ends, stated);
}

/** Where something may end that began at this phase: after as long a life as others, or at the same instant of a second. */
function guesses({ lifetimeMs }: Mortal, ends: readonly EndAtPhase[], phaseMs: number): readonly number[] {
  const known = ends.findLast(({ fromMs, toMs }) => fromMs === toMs);
  if (known === undefined) return [];
  const instant = (known.phaseMs + known.fromMs) % SECOND_MS;
  const late = lifetimeMs + ((((instant - phaseMs - lifetimeMs) % SECOND_MS) + SECOND_MS) % SECOND_MS);
  const same = [late, late - SECOND_MS, ...(late === lifetimeMs ? [late + SECOND_MS] : [])];
  return [...new Set([...same, known.fromMs])];
}

/** Things that begin at one phase of a second, each at a new instant. */
class TrialAtPhase implements Trial {
  readonly lifetimeMs: number;
  readonly once: boolean;
  readonly mayLinger: boolean;
  readonly #mortal: Mortal;
  readonly #bench: Bench;
  readonly #phaseMs: number;
  readonly #stated: StatedAt[];
  #beganMs = 0;

  /** @param stated takes in what the answers say of their ends */
  constructor(mortal: Mortal, bench: Bench, phaseMs: number, stated: StatedAt[]) {
    this.lifetimeMs = mortal.lifetimeMs;
    this.once = mortal.once;
    this.mayLinger = mortal.mayLinger;
    this.#mortal = mortal;
    this.#bench = bench;
    this.#phaseMs = phaseMs;
    this.#stated = stated;
  }

  async begin(): Promise<() => Promise<boolean>> {
    const earliest = this.#bench.nowMs + APART_MS;
    this.#beganMs = Math.ceil((earliest - this.#phaseMs) / SECOND_MS) * SECOND_MS + this.#phaseMs;
    await this.#bench.moveTo(this.#beganMs);
    return this.beside();
  }

  async beside(): Promise<() => Promise<boolean>> {
    const { probe, body } = await this.#mortal.begin(this.#bench);
    if (body !== undefined) this.#stated.push({ beganMs: this.#beganMs, value: body["expiresAt"] });
    return probe;
  }

  async age(ms: number): Promise<void> {
    await this.#bench.moveTo(this.#beganMs + ms);
  }
}
