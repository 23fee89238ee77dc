import type { Moment } from "./clock.ts";

/** An exchange on the timeline of its vector. */
export interface Timed extends Moment {
  readonly step: string;
}

/** What a right answer may hang on. */
export interface Hangs {
  /** At the end of any of these, counted from an earlier request, the right answer may become another, in ms. */
  readonly periodsMs: readonly number[];
  /** The service may count by marks of its clock that are so far apart, in ms, and so begin anew between two steps. */
  readonly markMs?: number;
  /** How far the service's clock may differ from the kit's, in ms. */
  readonly toleranceMs: number;
}

/** A slower course than planned that is no reason for anything: vectors keep further from every limit. */
const HARMLESS_MS = 1_000;
/** So close to a limit, timers and rounding may stand on the other side of it. */
const TOUCH_MS = 250;

/**
 * Whether a vector on a real clock ran so much later than planned that the last answer may rightly be that of the
 * other side of a limit: what was to be asked for just before its end may have expired when the request came.
 * What no period has a part in is never too late.
 * @returns one line on what was too late; undefined where the answer is to be judged as it is
 */
export function lateness(
  timed: readonly Timed[],
  { periodsMs, markMs, toleranceMs }: Hangs,
): string | undefined {
  const last = timed.reduce<Timed | undefined>(
    (latest, one) => (latest === undefined || one.answeredAt >= latest.answeredAt ? one : latest),
    undefined,
  );
  if (last === undefined) return undefined;
  let worst: { readonly from: Timed; readonly planned: number; readonly took: number } | undefined;
  for (const from of timed) {
    const planned = last.plannedMs - from.plannedMs;
    const took = last.answeredAt - from.sentAt;
    const lag = took - planned;
    const crossed = periodsMs.some((period) => took + TOUCH_MS >= endOf(period, planned));
    if (crossed && lag > HARMLESS_MS && lag >= (worst === undefined ? 0 : worst.took - worst.planned))
      worst = { from, planned, took };
  }
  if (worst !== undefined) {
    const { from, planned, took } = worst;
    return `too slow for what it tries: step ${last.step} was answered ${seconds(took)} after step ${from.step} was sent, which was to be ${seconds(planned)}`;
  }
  return markMs === undefined ? undefined : passedMark(timed, last, markMs, toleranceMs);
}

/** A service that counts by marks of its clock may begin anew between two steps of one instant. */
function passedMark(
  timed: readonly Timed[],
  last: Timed,
  markMs: number,
  toleranceMs: number,
): string | undefined {
  const first = timed.find(({ plannedMs }) => plannedMs === last.plannedMs) ?? last;
  return endOf(markMs, first.sentAt - toleranceMs) <= last.answeredAt + toleranceMs
    ? `a minute of the service's clock may have ended between step ${first.step} and step ${last.step}`
    : undefined;
}

/**
 * How long to wait, in ms, so that a vector that begins then meets no mark of the clock for a good while.
 * @param now in ms since the Unix epoch
 * @param markMs how far apart the marks are, in ms
 */
export function untilClearOfMark(now: number, markMs: number, toleranceMs: number): number {
  const sinceMark = now % markMs;
  const left = toleranceMs + HARMLESS_MS - sinceMark;
  return sinceMark < markMs / 2 ? Math.max(0, left) : markMs + left;
}

/** The first multiple of a period after that moment. */
function endOf(period: number, moment: number): number {
  return (Math.floor(moment / period) + 1) * period;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
