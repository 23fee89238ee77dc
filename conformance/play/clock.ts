import type { Connection } from "../adapters/adapter.ts";
import { parseDuration } from "../vectors/duration.ts";
import type { Fields, Template } from "../vectors/model.ts";
import { BadStep } from "../vectors/requests.ts";
import { NotApplicable } from "../vectors/template.ts";

/** The time of day for real clocks, handed in from the edge of the program. */
export interface RealTime {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The service's clock as a vector sees it. */
export interface SceneClock {
  readonly real: boolean;
  /** Present reading, in ms since the Unix epoch. */
  now(): number;
  /** Lets so many ms pass for the service. */
  pass(ms: number): Promise<void>;
}

/** A clock that the kit moves through the adapter. */
export function virtualClock(connection: Connection, startMs: number): SceneClock {
  let reading = startMs;
  return {
    real: false,
    now: () => reading,
    pass: async (ms) => {
      await connection.advance(ms);
      reading += ms;
    },
  };
}

/** The clock on the wall: the service's time cannot be moved, so the kit waits. */
export function wallClock(time: RealTime): SceneClock {
  return { real: true, now: () => time.now(), pass: (ms) => time.sleep(ms) };
}

/** When an exchange took place: `sentAt` and `answeredAt` differ on a real clock only. */
export interface Moment {
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** A real clock cannot be met to the millisecond: how far before a limit, and past it, the kit keeps. */
const REAL_MARGIN_BEFORE_MS = 2000;
const REAL_MARGIN_AFTER_MS = 250;

/**
 * How long to wait for an `advance`.
 * @param resolutionMs the step in which the service's clock counts: it may be that much late (never early)
 * @param momentOf gives the exchange that `since` names
 * @returns milliseconds from now
 */
export function waitFor(
  advance: Template,
  clock: SceneClock,
  resolutionMs: number,
  momentOf: (reference: string) => Moment,
): number {
  if (typeof advance === "string") return duration(advance);
  const form = (advance ?? {}) as Fields;
  const now = { sentAt: clock.now(), answeredAt: clock.now() };
  const since = form["since"] === undefined ? now : momentOf(String(form["since"]));
  const wait = target(form, since, clock.real, resolutionMs) - clock.now();
  if (wait >= 0) return wait;
  const passed = `the moment to advance to passed ${-wait} ms ago`;
  throw clock.real
    ? new NotApplicable(`${passed}, since the steps before took so long`)
    : new BadStep(passed);
}

function target(form: Fields, since: Moment, real: boolean, resolutionMs: number): number {
  const before = form["just-before"];
  if (before !== undefined) {
    const ms = duration(before);
    return since.sentAt + ms - (real ? Math.min(REAL_MARGIN_BEFORE_MS, ms / 2) : 1);
  }
  const after = form["just-after"];
  if (after !== undefined) {
    const late = resolutionMs > 1 ? resolutionMs : 0;
    return since.answeredAt + duration(after) + late + (real ? REAL_MARGIN_AFTER_MS : 1);
  }
  return since.sentAt + duration(form["at"] ?? null);
}

function duration(value: Template): number {
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  if (ms === undefined)
    throw new BadStep(`${JSON.stringify(value)} is no duration: write 59.999s, 30s, 1h or 1ms`);
  return ms;
}
