/** Reads the times that tools record. */
import { show } from "../data/json.ts";
import { TABLES } from "./tables.ts";

export interface RecordedTime {
  /** Milliseconds since the Unix epoch. */
  readonly ms: number;
  /** Distance between two times that the form can tell apart, in ms. */
  readonly precisionMs: number;
  /** Whether the time states its zone. Without a zone, it is read as UTC. */
  readonly hasZone: boolean;
}

/** Time of a day with its zone, as tools write it after any of the {@link DATES}. */
const TIME =
  "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)(?:[.,](?<fraction>\\d+))?" +
  " ?(?<zone>Z|UTC|GMT|(?<zoneHours>[+-]\\d\\d)(?::?(?<zoneMinutes>\\d\\d))?)?(?:\\[[\\w/]+\\])?";
/** ISO 8601, also with spaces or slashes; Common Log Format, and dates of RFC 9110, section 5.6.7. */
const DATES = [
  "(?<year>\\d{4})[-/](?<month>\\d\\d)[-/](?<day>\\d\\d)[T ]",
  "(?:\\w{3}, )?(?<day>\\d\\d)[ /](?<month>\\w{3})[ /](?<year>\\d{4})[: ]",
].map((date) => new RegExp(`^\\[?${date}${TIME}\\]?$`, "i"));
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const COUNT = /^\d+(?:\.(\d+))?$/;
/** Largest time of a Date, in ms (ECMAScript, "Time Values and Time Range"). */
const MAX_MS = 8.64e15;

/** Reads a time: a date, or a number of units since the Unix epoch. Throws what is wrong, as a text. */
export function readTime(value: unknown): RecordedTime {
  if (typeof value === "number" || (typeof value === "string" && COUNT.test(value))) return fromCount(value);
  if (typeof value !== "string")
    throw `the time must be a date, or a number of seconds or milliseconds since 1970, got ${show(value)}`;
  const parts = DATES.map((form) => form.exec(value)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined)
    throw `the time ${show(value)} has an unknown form; write it like 2026-10-10T12:00:00.000Z`;
  const { hour, minute, second, fraction = "", zone, zoneHours = "+00", zoneMinutes = "00" } = parts;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const month = String(MONTHS.indexOf(parts["month"] ?? "") + 1 || parts["month"]).padStart(2, "0");
  const day = `${parts["year"]}-${month}-${parts["day"]}`;
  const date = new Date(`${day}T00:00:00Z`);
  const isDate = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  const isTime = hours < 24 && minutes < 60 && seconds <= 60 && Math.abs(Number(zoneHours)) < 24;
  if (!isDate || !isTime || Number(zoneMinutes) > 59)
    throw `the time ${show(value)} does not exist; give a date and a time that exist`;
  // A leap second counts as the last millisecond of its minute.
  const ms = seconds === 60 ? 59_999 : seconds * 1000 + Number(`0.${fraction || "0"}`) * 1000;
  const offset = Number(zoneHours) * 60 + Math.sign(Number(`${zoneHours}1`)) * Number(zoneMinutes);
  return {
    ms: date.getTime() + (hours * 60 + minutes - offset) * 60_000 + ms,
    precisionMs: 1000 / 10 ** fraction.length,
    hasZone: zone !== undefined,
  };
}

function fromCount(value: number | string): RecordedTime {
  const count = Number(value);
  const unit = TABLES.units.findLast(({ smallest }) => smallest <= count);
  if (unit === undefined || count * unit.ms > MAX_MS)
    throw `the time ${show(value)} does not exist; give seconds or milliseconds since 1970`;
  const decimals = COUNT.exec(String(value))?.[1]?.length ?? 0;
  return { ms: count * unit.ms, precisionMs: unit.ms / 10 ** decimals, hasZone: true };
}

/** Units of durations, in ms. */
const DURATION_UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3 };

/**
 * Reads a duration in ms. Returns undefined if it is not recorded. Throws what is wrong, as a text.
 * @param unitMs unit of a number without a unit
 */
export function readDuration(value: unknown, unitMs: number): number | undefined {
  const [, digits, unit = ""] =
    /^(?:pt)?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ?(ns|us|µs|ms|s)?$/.exec(String(value).toLowerCase()) ?? [];
  if (digits === undefined || Number(digits) < 0) return undefined;
  const ms = Number(digits) * (DURATION_UNITS[unit] ?? unitMs);
  if (ms > MAX_MS) throw `the duration ${show(value)} is impossible; give milliseconds`;
  return ms;
}
