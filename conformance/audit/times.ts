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

/** ISO 8601, also with a space, a comma, or a short offset. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))? ?(Z|UTC|GMT|([+-]\d\d)(?::?(\d\d))?)?$/i;
/** Common Log Format, and dates of RFC 9110, section 5.6.7. */
const LOG = /^(?:\w{3}, )?(\d\d)[ /](\w{3})[ /](\d{4})[: ](\d\d):(\d\d):(\d\d) (?:GMT|UTC|([+-]\d\d)(\d\d))$/;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const COUNT = /^\d+(?:\.(\d+))?$/;
/** Largest time of a Date, in ms (ECMAScript, "Time Values and Time Range"). */
const MAX_MS = 8.64e15;

/** Reads a time: a date, or a number of units since the Unix epoch. Throws what is wrong, as a text. */
export function readTime(value: unknown): RecordedTime {
  if (typeof value === "number" || (typeof value === "string" && COUNT.test(value))) return fromCount(value);
  if (typeof value !== "string")
    throw `the time must be a date, or a number of seconds or milliseconds since 1970, got ${show(value)}`;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = "",
    zone,
    zoneHours = "+00",
    zoneMinutes = "00",
  ] = ISO.exec(value) ?? isoOfLog(value);
  if (year === undefined)
    throw `the time ${show(value)} has an unknown form; write it like 2026-10-10T12:00:00.000Z`;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isDate = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
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

/** Returns the parts of a time of a log as {@link ISO} does. */
function isoOfLog(text: string): readonly (string | undefined)[] {
  const [, day, name = "", year, hour, minute, second, zoneHours, zoneMinutes] = LOG.exec(text) ?? [];
  if (!MONTHS.includes(name)) return [];
  const month = String(MONTHS.indexOf(name) + 1).padStart(2, "0");
  return ["", year, month, day, hour, minute, second, "", "Z", zoneHours, zoneMinutes];
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
