import type { ClockStart } from "../vectors/vector.ts";

/** The minute at which virtual clocks begin; a noon. */
const NOON_MS = Date.UTC(2026, 9, 10, 12, 0, 0);

/** Thirteen seconds before a year ends, and with it a month and a day; between two seconds. */
const BEFORE_YEAR_END_MS = -12_863;

/** Between two seconds, so that a service that counts whole seconds shows it. */
export const BETWEEN_SECONDS_MS = NOON_MS + 7_137;

/** Reading of the virtual clock when a vector begins, in ms since the Unix epoch. */
export function startTime(clock: ClockStart): number {
  switch (clock) {
    case "between-seconds":
      return BETWEEN_SECONDS_MS;
    case "whole-second":
      return NOON_MS + 7_000;
    case "whole-minute":
      return NOON_MS;
    case "year-end":
      return yearEnd(NOON_MS);
    default:
      return Date.parse(clock);
  }
}

/** The one moment at which a vector begins; undefined where any of a kind will do. */
export function momentOf(clock: ClockStart): number | undefined {
  const moment = Date.parse(clock);
  return Number.isNaN(moment) ? undefined : moment;
}

/** The first reading of that kind from `from` on; undefined where it has passed. */
export function nextStart(clock: ClockStart, from: number): number | undefined {
  const moment = momentOf(clock);
  if (moment !== undefined) return moment >= from ? moment : undefined;
  if (clock === "year-end") return yearEnd(from);
  const step = clock === "whole-minute" ? 60_000 : 1_000;
  const offset = startTime(clock) % step;
  return Math.ceil((from - offset) / step) * step + offset;
}

function yearEnd(from: number): number {
  const year = new Date(from).getUTCFullYear();
  const start = (ending: number) => Date.UTC(ending + 1, 0) + BEFORE_YEAR_END_MS;
  return start(year) >= from ? start(year) : start(year + 1);
}
