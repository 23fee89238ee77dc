import { DEFAULT_SEED } from "../search/default-runs.ts";
import { RandomSource } from "../search/random-source.ts";
import type { ClockStart } from "../vectors/vector.ts";

/** The minute at which virtual clocks begin in a usual run; a noon. */
const NOON_MS = Date.UTC(2026, 9, 10, 12, 0, 0);
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** With another seed they begin on one of so many days before, in daytime: far from the ends of a year. */
const DAYS_BEFORE = 270;
const DAYTIME_MINUTES = 8 * 60;

/** Thirteen seconds before a year ends, and with it a month and a day; between two seconds. */
const BEFORE_YEAR_END_MS = -12_863;

/** Between two seconds, so that a service that counts whole seconds shows it. */
const BETWEEN_SECONDS_MS = 7_137;

/**
 * Reading of the virtual clock when a vector begins, in ms since the Unix epoch.
 * @param seed the run's: no service can tell the kit by a day that it always begins at
 */
export function startTime(clock: ClockStart, seed: number): number {
  const beginning = beginningOf(seed);
  switch (clock) {
    case "between-seconds":
      return beginning + BETWEEN_SECONDS_MS;
    case "whole-second":
      return beginning + 7_000;
    case "whole-minute":
      return beginning;
    case "year-end":
      return yearEnd(beginning);
    default:
      return Date.parse(clock);
  }
}

function beginningOf(seed: number): number {
  if (seed === DEFAULT_SEED) return NOON_MS;
  const source = new RandomSource(seed);
  const days = source.below(DAYS_BEFORE) + 1;
  const minutes = source.below(DAYTIME_MINUTES) - DAYTIME_MINUTES / 2;
  return NOON_MS + (minutes - days * DAY_MINUTES) * MINUTE_MS;
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
  const step = clock === "whole-minute" ? MINUTE_MS : 1_000;
  const offset = startTime(clock, DEFAULT_SEED) % step;
  return Math.ceil((from - offset) / step) * step + offset;
}

function yearEnd(from: number): number {
  const year = new Date(from).getUTCFullYear();
  const start = (ending: number) => Date.UTC(ending + 1, 0) + BEFORE_YEAR_END_MS;
  return start(year) >= from ? start(year) : start(year + 1);
}
