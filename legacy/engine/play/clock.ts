import type { Connection } from "../../adapters/adapter.ts";
import { parseDuration } from "../vectors/duration.ts";
import type { Fields, Template } from "../vectors/vector.ts";
import type { RealTime } from "./real-time.ts";
import { BadStep, NotApplicable } from "./step-ends.ts";
import { graceOf, type Timekeeping } from "./timekeeping.ts";

/** The service's clock as a vector sees it. */
export interface SceneClock {
  readonly real: boolean;
  /** Present reading, in ms since the Unix epoch. */
  now(): number;
  /**
   * Lets so many ms pass for the service.
   * @param what for what, in words, after "waiting": of interest where it takes as long
   */
  pass(ms: number, what?: string): Promise<void>;
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
  return { real: true, now: () => time.now(), pass: (ms, what = "") => time.sleep(ms, { for: what }) };
}

/** When an exchange took place, and was to; `sentAt` and `answeredAt` differ on a real clock only. */
export interface Moment {
  /** The operation of the exchange, where it is one. */
  readonly operation?: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** In ms since the vector began. */
  readonly plannedMs: number;
}

/** How long to wait, in ms from now, and where on the vector's timeline that leads. */
export interface Wait {
  readonly waitMs: number;
  readonly plannedMs: number;
}

/**
 * A real clock cannot be met to the millisecond: how far before a limit, and past it, the kit keeps. Before it, that is
 * more than any grace.
 */
const REAL_MARGIN_BEFORE_MS = 2000;
const REAL_MARGIN_AFTER_MS = 250;

/**
 * How long to wait for an `advance`.
 * @param plannedMs where on its timeline the vector stands
 * @param timekeeping gives how early and how late the service may end what lives for a time
 * @param momentOf gives the exchange that `since` names
 */
export function waitFor(
  advance: Template,
  clock: SceneClock,
  plannedMs: number,
  timekeeping: () => Timekeeping,
  momentOf: (reference: string) => Moment,
): Wait {
  if (typeof advance === "string") {
    const waitMs = duration(advance);
    return { waitMs, plannedMs: plannedMs + waitMs };
  }
  const form = (advance ?? {}) as Fields;
  const now = { sentAt: clock.now(), answeredAt: clock.now(), plannedMs };
  const since = form["since"] === undefined ? now : momentOf(String(form["since"]));
  const { from, afterMs } = target(form, since, clock.real, timekeeping);
  if (afterMs === Number.POSITIVE_INFINITY)
    throw new NotApplicable("what is to be over here was never seen to end");
  const waitMs = from + afterMs - clock.now();
  if (waitMs >= 0) return { waitMs, plannedMs: since.plannedMs + afterMs };
  const passed = `the moment to advance to passed ${-waitMs} ms ago`;
  if (!clock.real && -waitMs <= longestGraceMs(timekeeping())) {
    // What was waited for before took longer than it has to: what is over by then stays over.
    if (form["just-after"] !== undefined) return { waitMs: 0, plannedMs };
    throw new NotApplicable(`${passed}, since what came before lives longer than it has to`);
  }
  throw clock.real
    ? new NotApplicable(`${passed}, since the steps before took so long`)
    : new BadStep(passed);
}

function longestGraceMs({ lives, others }: Timekeeping): number {
  return Math.max(others.lateMs, ...lives.map(({ lateMs }) => lateMs));
}

/** The moment that a form leads to: so many ms after one that is known. */
function target(
  form: Fields,
  { sentAt, answeredAt, operation }: Moment,
  real: boolean,
  timekeeping: () => Timekeeping,
): { readonly from: number; readonly afterMs: number } {
  const before = form["just-before"];
  if (before !== undefined) {
    const ms = duration(before);
    const { earlyMs } = graceOf(timekeeping(), ms, operation);
    return { from: sentAt, afterMs: ms - (real ? Math.min(REAL_MARGIN_BEFORE_MS, ms / 2) : 1 + earlyMs) };
  }
  const after = form["just-after"];
  if (after !== undefined) {
    const ms = duration(after);
    const { lateMs } = graceOf(timekeeping(), ms, operation);
    return { from: answeredAt, afterMs: ms + lateMs + (real ? REAL_MARGIN_AFTER_MS : 1) };
  }
  return { from: sentAt, afterMs: duration(form["at"] ?? null) };
}

function duration(value: Template): number {
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  if (ms === undefined)
    throw new BadStep(`${JSON.stringify(value)} is no duration: write 59.999s, 30s, 1h or 1ms`);
  return ms;
}
