import type { Moment } from "./clock.ts";

/** An exchange on the timeline of its vector. */
export interface Timed extends Moment {
  readonly step: string;
}

/** What a right answer may hang on besides the lifetimes. */
export interface Hangs {
  /** Whether it matters how many builds a minute has room for: services count them in minutes of many shapes. */
  readonly onRate: boolean;
  /** How far the service's clock may differ from the kit's, in ms. */
  readonly toleranceMs: number;
}

/** Lifetimes and the minute are multiples of this (contract, "Limits": 30 seconds, 60 seconds, one hour). */
const LIFETIMES_MS = 30_000;
/** A minute of five builds that is refilled place by place gives one back so often. */
const REFILL_MS = 12_000;
const MINUTE_MS = 60_000;
/** A slower course than planned that is no reason for anything: vectors keep further from every limit. */
const HARMLESS_MS = 1_000;
/** So close to a limit, timers and rounding may stand on the other side of it. */
const TOUCH_MS = 250;

/**
 * Whether a vector on a real clock ran so much later than planned that the last answer may rightly be that of the
 * other side of a limit: a draft that was to be asked for after 28 seconds may have expired when it was after 31.
 * What the contract's limits have no part in is never too late.
 * @returns one line on what was too late; undefined where the answer is to be judged as it is
 */
export function lateness(timed: readonly Timed[], { onRate, toleranceMs }: Hangs): string | undefined {
  const last = timed.reduce<Timed | undefined>(
    (latest, one) => (latest === undefined || one.answeredAt >= latest.answeredAt ? one : latest),
    undefined,
  );
  if (last === undefined) return undefined;
  const periods = onRate ? [LIFETIMES_MS, REFILL_MS] : [LIFETIMES_MS];
  let worst: { readonly from: Timed; readonly planned: number; readonly took: number } | undefined;
  for (const from of timed) {
    const planned = last.plannedMs - from.plannedMs;
    const took = last.answeredAt - from.sentAt;
    const lag = took - planned;
    const crossed = periods.some((period) => took + TOUCH_MS >= endOf(period, planned));
    if (crossed && lag > HARMLESS_MS && lag >= (worst === undefined ? 0 : worst.took - worst.planned))
      worst = { from, planned, took };
  }
  if (worst !== undefined) {
    const { from, planned, took } = worst;
    return `too slow for what it tries: step ${last.step} was answered ${seconds(took)} after step ${from.step} was sent, which was to be ${seconds(planned)}`;
  }
  return onRate ? minuteMark(timed, last, toleranceMs) : undefined;
}

/** A service may count by the minutes of its clock, and so may begin anew between two steps of one instant. */
function minuteMark(timed: readonly Timed[], last: Timed, toleranceMs: number): string | undefined {
  const first = timed.find(({ plannedMs }) => plannedMs === last.plannedMs) ?? last;
  const marks = endOf(MINUTE_MS, first.sentAt - toleranceMs) <= last.answeredAt + toleranceMs;
  return marks
    ? `a minute of the service's clock may have ended between step ${first.step} and step ${last.step}`
    : undefined;
}

/**
 * How long to wait, in ms, so that a vector that begins then meets no end of a minute for a good while.
 * @param now in ms since the Unix epoch
 */
export function untilClearOfMinuteMark(now: number, toleranceMs: number): number {
  const sinceMark = now % MINUTE_MS;
  const left = toleranceMs + HARMLESS_MS - sinceMark;
  return sinceMark < MINUTE_MS / 2 ? Math.max(0, left) : MINUTE_MS + left;
}

/** The first multiple of a period after that moment. */
function endOf(period: number, moment: number): number {
  return (Math.floor(moment / period) + 1) * period;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
