import { isObject } from "../../engine/play/exchange.ts";

/** The ways in which services write a moment; the contract leaves it open ("Challenge", "Session"). */
export type TimestampForm =
  | "iso-8601"
  | "rfc-1123"
  | "date-text"
  | "epoch-seconds"
  | "epoch-milliseconds"
  | "epoch-microseconds"
  | "epoch-nanoseconds"
  | "other-epoch"
  | "hexadecimal"
  | "object";

export interface Timestamp {
  /** Milliseconds since the Unix epoch. */
  readonly ms: number;
  readonly form: TimestampForm;
  /** The finest step that this way of writing can show, in ms. */
  readonly precisionMs: number;
}

/** The reading of a moment that the kit cannot read. */
export const UNREADABLE = "other";

/** Characters of the longest way to write a moment, and more. */
const LONGEST_MOMENT = 500;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** Where clocks begin that do not begin with a year: a spreadsheet's days, those of MATLAB, Julian days, modified ones. */
const OTHER_BEGINNINGS: readonly number[] = [
  Date.UTC(1899, 11, 30),
  Date.parse("-000001-12-31T00:00:00Z"),
  Date.parse("-004713-11-24T12:00:00Z"),
  Date.UTC(1858, 10, 17),
];

/** What clocks count, in ms: seconds and their decimal parts, minutes, hours and days. */
const UNITS_MS: readonly number[] = [1000, 1, 1e-4, 1e-3, 1e-6, 100, 10, 60_000, HOUR_MS, DAY_MS];

/**
 * Extended or basic, also with the zone set apart or named twice, as Ruby, Go and Java print it; groups: date and time,
 * fraction of the second, zone.
 */
const ISO_TEXT =
  "(\\d{4}-?\\d\\d-?\\d\\d[T ]\\d\\d:?\\d\\d(?::?\\d\\d)?)(?:[.,](\\d+))?" +
  "(?: ?(Z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?)(?: ?(?:UTC|GMT|\\[[A-Za-z_/]+\\]))?)?";
const RFC_1123_TEXT =
  "(?:[A-Z][a-z]{2}, )?\\d{1,2} [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d (?:GMT|UTC|[+-]\\d{4})";
/** `Sat Oct 10 12:01:07 2026`, as C prints it, and `Sat Oct 10 2026 12:01:07 GMT+0000 (…)`, as JavaScript does. */
const DATE_TEXT =
  "[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\\d{1,2} (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d(?: (?:GMT|UTC)(?:[+-]\\d{4})?)?(?: \\d{4})?(?: \\([A-Za-z ]+\\))?";
const DIGITS_TEXT = "\\d{9,19}(?:\\.\\d+)?";

const ISO = new RegExp(`^${ISO_TEXT}$`, "i");
/** As JavaScript writes it, and most services: what `Date` reads as it is. */
const USUAL = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z$/;
const RFC_1123 = new RegExp(`^${RFC_1123_TEXT}$`);
const DATE = new RegExp(`^${DATE_TEXT}$`);
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const HEXADECIMAL = /^(?:0x)?[\da-f]{8,16}$/i;
/** Year to second, and what there may be of a fraction, without a mark between them. */
const DATE_IN_DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{0,9})$/;
/** Seconds that were taken for milliseconds come to a year of five digits or more. */
const FAR_YEAR = /^\+?\d{5,6}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Reads a moment in any usual form: ISO 8601, RFC 1123, what C and JavaScript print, epoch seconds to nanoseconds as a
 * number or as digits, and objects that hold one of these, or seconds and a part of a second.
 * @param nearMs where it is known about when it is, in ms since the Unix epoch: then counts of other units or from other
 *   epochs are read too, hexadecimal ones, and dates in digits alone
 */
export function parseTimestamp(value: unknown, nearMs?: number): Timestamp | undefined {
  if (typeof value === "number") return fromCount(value, Number.isInteger(value), nearMs);
  if (isObject(value)) return fromObject(value, nearMs);
  if (typeof value !== "string") return undefined;
  if (USUAL.test(value)) return fromText(value, "iso-8601", 1);
  const hexadecimal = fromHexadecimal(value, nearMs);
  if (PLAIN_NUMBER.test(value)) {
    const count = fromCount(Number(value), !value.includes("."), nearMs, value);
    return isNear(count, nearMs) ? count : (hexadecimal ?? count);
  }
  if (hexadecimal !== undefined) return hexadecimal;
  if (FAR_YEAR.test(value)) return fromFarYear(value);
  const iso = ISO.exec(value);
  if (iso !== null) return fromIso(iso[1] ?? "", iso[2] ?? "", iso[3] ?? "Z");
  if (RFC_1123.test(value)) return fromText(value, "rfc-1123");
  // Without a zone it is UTC: the contract's clock has no place.
  return DATE.test(value) ? fromText(/GMT|UTC/.test(value) ? value : `${value} UTC`, "date-text") : undefined;
}

function fromText(text: string, form: TimestampForm, precisionMs = 1000): Timestamp | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : { ms, form, precisionMs };
}

function fromFarYear(text: string): Timestamp | undefined {
  return fromText(
    text.replace(/^\+?(\d+)/, (_, year: string) => `+${year.padStart(6, "0")}`),
    "iso-8601",
  );
}

function isNear(read: Timestamp | undefined, nearMs: number | undefined): boolean {
  return read !== undefined && (nearMs === undefined || Math.abs(read.ms - nearMs) < DAY_MS);
}

function fromCount(
  value: number,
  whole: boolean,
  nearMs: number | undefined,
  digits = String(value),
): Timestamp | undefined {
  const unix = fromEpoch(value, whole);
  if (nearMs === undefined || isNear(unix, nearMs)) return unix;
  const date = fromDigits(digits);
  return date !== undefined && isNear(date, nearMs) ? date : (fromOtherEpoch(value, whole, nearMs) ?? unix);
}

/** A count of other units, or from another beginning, of which the first instant of any year may be one. */
function fromOtherEpoch(value: number, whole: boolean, nearMs: number): Timestamp | undefined {
  let nearest: Timestamp | undefined;
  for (const unitMs of UNITS_MS) {
    // What began just now is rather no clock at all.
    if (value * unitMs < YEAR_MS) continue;
    const year = new Date(nearMs - value * unitMs).getUTCFullYear();
    const years = year >= -1 ? [year, year + 1].filter((began) => began >= 0).map(yearBegan) : [];
    for (const beginsMs of [...years, ...OTHER_BEGINNINGS]) {
      const ms = Math.round(beginsMs + value * unitMs);
      if (Math.abs(ms - nearMs) >= Math.abs((nearest?.ms ?? nearMs + DAY_MS) - nearMs)) continue;
      nearest = { ms, form: "other-epoch", precisionMs: whole ? Math.max(1, unitMs) : 1 };
    }
  }
  return nearest;
}

/** When a year begins, in ms since the Unix epoch. */
function yearBegan(year: number): number {
  return Date.parse(`${String(year).padStart(4, "0")}-01-01T00:00:00Z`);
}

/** A count of seconds or milliseconds since the Unix epoch in hexadecimal digits. */
function fromHexadecimal(value: string, nearMs: number | undefined): Timestamp | undefined {
  if (nearMs === undefined || !HEXADECIMAL.test(value)) return undefined;
  const unix = fromEpoch(Number.parseInt(value, 16), true);
  return unix !== undefined && isNear(unix, nearMs) ? { ...unix, form: "hexadecimal" } : undefined;
}

function fromDigits(digits: string): Timestamp | undefined {
  const [, year, month, day, hour, minute, second, fraction = ""] = DATE_IN_DIGITS.exec(digits) ?? [];
  if (year === undefined) return undefined;
  const read = fromIso(`${year}-${month}-${day}T${hour}:${minute}:${second}`, fraction, "Z");
  return read && { ...read, form: "date-text" };
}

const SECONDS = /^(?:\$?_?(?:seconds?|secs?|s|t)|epoch_?seconds?|tv_sec|unix(?:_?seconds?)?)$/i;
/** Parts of a second, with how many of them are one. */
const PARTS: readonly (readonly [name: RegExp, ofSecond: number])[] = [
  [/^(?:_?nanos?(?:econds?)?|n?nsecs?|tv_nsec)$/i, 1e9],
  [/^(?:_?micros?(?:econds?)?|usecs?|tv_usec)$/i, 1e6],
  [/^(?:_?milli?s?(?:econds?)?|msecs?)$/i, 1e3],
];

/** `{seconds, nanos}` as of protocol buffers and its like; `{"$date": …}` and whatever else holds one moment. */
function fromObject(
  value: Readonly<Record<string, unknown>>,
  nearMs: number | undefined,
): Timestamp | undefined {
  const members = Object.entries(value);
  // In a calendar's fields, the seconds are those of a minute.
  if (members.some(([name]) => /^_?years?$/i.test(name))) return undefined;
  const seconds = members.find(([name, count]) => SECONDS.test(name) && count64(count) !== undefined);
  if (seconds !== undefined) {
    const parts = PARTS.flatMap(([known, ofSecond]) =>
      members.flatMap(([name, count]) => (known.test(name) ? [(count64(count) ?? 0) / ofSecond] : [])),
    );
    const ms = Math.floor(((count64(seconds[1]) ?? 0) + (parts[0] ?? 0)) * 1000 + 1e-3);
    return { ms, form: "object", precisionMs: parts.length === 0 ? 1000 : 1 };
  }
  for (const [, held] of members) {
    const read = parseTimestamp(held, nearMs);
    if (read !== undefined && isNear(read, nearMs)) return { ...read, form: "object" };
  }
  return undefined;
}

/** A whole number as JSON writes one of 64 bits: itself, digits, or two halves. */
function count64(value: unknown): number | undefined {
  if (typeof value === "string") return /^\d+$/.test(value) ? Number(value) : undefined;
  if (typeof value === "number") return value;
  if (!isObject(value)) return undefined;
  const { low, high } = value;
  return typeof low === "number" && typeof high === "number" ? high * 2 ** 32 + (low >>> 0) : undefined;
}

/**
 * Whether a value is surely no moment, whatever way of writing one was chosen: nothing, a truth value, a number that is
 * of no clock, anything that holds no digit at all, or a text without end.
 */
export function isNoMoment(value: unknown, nearMs?: number): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return true;
  const isCount = typeof value === "number" || (typeof value === "string" && PLAIN_NUMBER.test(value));
  if (isCount) return parseTimestamp(value, nearMs) === undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_MOMENT || !/\p{Nd}/u.test(text);
}

/** In which form a moment is written: reading of an open point; undefined where it is no moment. */
export function timestampForm(value: unknown, nearMs?: number): string | undefined {
  if (isNoMoment(value, nearMs)) return undefined;
  return parseTimestamp(value, nearMs)?.form ?? UNREADABLE;
}

function fromEpoch(value: number, whole: boolean): Timestamp | undefined {
  if (!Number.isFinite(value) || value < 1e8 || value >= 1e20) return undefined;
  if (value < 1e11) {
    return { ms: Math.round(value * 1000), form: "epoch-seconds", precisionMs: whole ? 1000 : 1 };
  }
  if (value < 1e14) return { ms: Math.round(value), form: "epoch-milliseconds", precisionMs: 1 };
  if (value < 1e17) return { ms: Math.round(value / 1e3), form: "epoch-microseconds", precisionMs: 1 };
  return { ms: Math.round(value / 1e6), form: "epoch-nanoseconds", precisionMs: 1 };
}

/** @param zone `Z` where the text has none: the contract's clock has no place */
function fromIso(dateAndTime: string, fraction: string, zone: string): Timestamp | undefined {
  const [year, month, day, hour, minute, second = "00"] =
    dateAndTime.replace(/\D/g, "").match(/^\d{4}|\d\d/g) ?? [];
  const offset = /^[a-z]/i.test(zone) ? "Z" : `${zone.slice(0, 3)}:${zone.replace(":", "").slice(3) || "00"}`;
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  // Hour 24 of a day is the first of the next.
  const [hourOfDay, days] = hour === "24" ? ["00", 1] : [hour, 0];
  const parsed = Date.parse(
    `${year}-${month}-${day}T${hourOfDay}:${minute}:${second}.${milliseconds}${offset}`,
  );
  if (Number.isNaN(parsed)) return undefined;
  const ms = parsed + days * DAY_MS;
  return { ms, form: "iso-8601", precisionMs: Math.max(1, 10 ** (3 - fraction.length)) };
}

/**
 * The step in which a moment is written: by its form, or since its last digits are all zero. What the service counts in
 * is another matter.
 * @returns 1, 10, 100 or 1000 ms
 */
export function clockResolution({ ms, precisionMs }: Timestamp): number {
  const counted = [1000, 100, 10].find((step) => ms % step === 0) ?? 1;
  return Math.min(1000, Math.max(counted, precisionMs));
}

const WRITTEN = new RegExp(
  `${ISO_TEXT}|${RFC_1123_TEXT}|(?<![\\dA-Za-z])${DIGITS_TEXT}(?![\\dA-Za-z])`,
  "gi",
);

/**
 * Whether a text or its bytes hold the moment `ms`, to within `toleranceMs`: in any form that {@link parseTimestamp}
 * reads, as a binary integer or in hex, or as a time of day in words of the service's own ("10 October at 2:01:07 pm").
 */
export function containsMoment(given: Uint8Array, ms: number, toleranceMs: number): boolean {
  const bytes = bothEnds(given);
  const text = unescaped(Buffer.from(bytes).toString("utf8"));
  const near = (found: number | undefined) => found !== undefined && Math.abs(found - ms) <= toleranceMs;
  const written = [...text.matchAll(WRITTEN)].map(([found]) => found);
  return (
    written.some((found) => near(parseTimestamp(found, ms)?.ms)) ||
    binaryMoments(bytes).some(near) ||
    hexMoments(text).some(near) ||
    timesOfDay(withoutZoned(text)).some((found) => nearInTheHour(found, ms, toleranceMs))
  );
}

/** Of a message that nobody would sign unseen, so much at either end is looked through for a moment. */
const MOST_BYTES = 64 * 1024;

function bothEnds(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= 2 * MOST_BYTES) return bytes;
  return Buffer.concat([bytes.subarray(0, MOST_BYTES), bytes.subarray(-MOST_BYTES)]);
}

/** A text in which some characters may stand percent-encoded, as in a query (RFC 3986, section 2.1). */
function unescaped(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** What names its zone was read to the full, and says no other moment. */
function withoutZoned(text: string): string {
  return text.replaceAll(WRITTEN, (found, date, _fraction, zone) =>
    date !== undefined && zone === undefined ? found : "",
  );
}

/** Times of day in a text, in ms since the full hour: which hour it is depends on a zone that may go unsaid. */
function timesOfDay(text: string): readonly number[] {
  return [...text.matchAll(/\b\d{1,2}:(\d\d):(\d\d)\b/g)].map(
    ([, minute, second]) => Number(minute) * 60_000 + Number(second) * 1000,
  );
}

function nearInTheHour(time: number, ms: number, toleranceMs: number): boolean {
  const apart = Math.abs(time - (ms % HOUR_MS));
  return Math.min(apart, HOUR_MS - apart) <= toleranceMs;
}

/** Every 4- and 8-byte integer in the bytes, read as seconds or milliseconds in either byte order. */
function binaryMoments(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const moments: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at++) {
    for (const littleEndian of [true, false]) {
      moments.push(view.getUint32(at, littleEndian) * 1000);
      if (at + 8 > bytes.length) continue;
      const long = Number(view.getBigUint64(at, littleEndian));
      moments.push(long, long * 1000);
    }
  }
  return moments;
}

/** Hexadecimal integers in the text, read as seconds or milliseconds. */
function hexMoments(text: string): readonly number[] {
  return [...text.matchAll(/(?<![0-9a-z])(?:0x)?([0-9a-f]{8,16})(?![0-9a-z])/gi)].flatMap(([, digits]) => {
    const value = Number.parseInt(digits ?? "", 16);
    return [value, value * 1000];
  });
}
