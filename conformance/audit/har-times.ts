import { isObject } from "../engine/play/exchange.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { LONGEST_MS, momentOf } from "./moments.ts";

const PARTS = ["blocked", "dns", "connect", "send", "wait", "receive"] as const;

/** When an exchange began and ended, in ms since the Unix epoch. */
export interface HarTimes {
  readonly startedMs: number;
  readonly endedMs: number;
}

/**
 * When an entry of a HAR began, and when its answer had ended at the latest.
 * @param isOwn whether the kit wrote it, whose times are exact
 * @throws {DataError} where `startedDateTime` is no moment
 */
export function timesOf(
  entry: Readonly<Record<string, unknown>>,
  source: SourcePlace,
  isOwn: boolean,
): HarTimes {
  const { startedDateTime, time, timings } = entry;
  const { ms: startedMs, blurMs } = momentOf(startedDateTime, source);
  if (isOwn) return { startedMs, endedMs: startedMs + Math.max(0, Number(time) || 0) };
  return { startedMs, endedMs: startedMs + blurMs + durationOf(time, isObject(timings) ? timings : {}) };
}

/** How long an entry took at most; half a minute where it is not told, or the wait for the answer is not in it. */
function durationOf(time: unknown, timings: Readonly<Record<string, unknown>>): number {
  const { wait } = timings;
  if (wait !== undefined && !isDuration(wait)) return LONGEST_MS;
  const told = [time, ...PARTS.map((part) => timings[part])].filter(isDuration);
  const [whole = 0] = isDuration(time) ? [time] : [];
  const sum = PARTS.map((part) => timings[part])
    .filter(isDuration)
    .reduce((all, part) => all + part, 0);
  const longest = Math.max(whole, sum);
  if (longest === 0 && wait === undefined) return LONGEST_MS;
  // Some writers cut each part to whole milliseconds before they add them up; and the start is cut, too.
  const isCut = told.every(Number.isInteger);
  return longest + (isCut ? told.length : 1);
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}
