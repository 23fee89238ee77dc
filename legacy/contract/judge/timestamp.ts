import { isUtf8 } from "node:buffer";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import { LIFETIME_MS } from "../operations.ts";
import type { JudgeContext } from "./judge-context.ts";

/** The forms of a moment that are read; the contract leaves the form open ("Challenge", "Session"). */
export type TimestampForm = "iso-8601" | "rfc-1123" | "epoch-seconds" | "epoch-milliseconds";

export interface Timestamp {
  /** Milliseconds since the Unix epoch. */
  readonly ms: number;
  readonly form: TimestampForm;
  /** The finest step that this form can show, in ms. */
  readonly precisionMs: number;
}

/** The observed reading of a moment in any other form: it is legal, and its value is not judged. */
export const NOT_READ = "not-read";

/** More characters than any form of a moment has. */
const LONGEST_MOMENT = 500;
/** A count that is further from the expected moment, read as Unix time, counts something else. */
const YEAR_MS = 366 * 86_400_000;

/** RFC 3339, section 5.6. The zone may be missing: then it is UTC. */
const ISO_TEXT = "(\\d{4}-\\d\\d-\\d\\d)[Tt ](\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d+))?([Zz]|[+-]\\d\\d:\\d\\d)?";
/** RFC 9110, section 5.6.7: IMF-fixdate, and the obsolete forms of RFC 850 and of asctime. */
const HTTP_TEXT =
  "[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT" +
  "|[A-Z][a-z]+day, \\d\\d-[A-Z][a-z]{2}-\\d\\d \\d\\d:\\d\\d:\\d\\d GMT" +
  "|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d \\d{4}";
const ISO = new RegExp(`^${ISO_TEXT}$`);
const HTTP = new RegExp(`^(?:${HTTP_TEXT})$`);
const COUNT = /^-?\d+(?:\.\d+)?$/;

/**
 * Reads a moment: RFC 3339, a date of RFC 9110, or seconds or milliseconds since the Unix epoch as a number or digits.
 * @param nearMs about when it is, in ms since the Unix epoch
 * @returns undefined for any other form, and for a text of these forms that names no moment
 */
export function parseTimestamp(value: unknown, nearMs: number): Timestamp | undefined {
  const count = countOf(value);
  if (count !== undefined) return fromCount(count, nearMs);
  if (typeof value !== "string") return undefined;
  if (HTTP.test(value)) {
    const ms = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
    return Number.isNaN(ms) ? undefined : { ms, form: "rfc-1123", precisionMs: 1000 };
  }
  const [, date, time, fraction = "", zone = "Z"] = ISO.exec(value) ?? [];
  if (date === undefined) return undefined;
  const ms = Date.parse(`${date}T${time}.${fraction.padEnd(3, "0").slice(0, 3)}${zone.toUpperCase()}`);
  const precisionMs = Math.max(1, 10 ** (3 - fraction.length));
  return Number.isNaN(ms) ? undefined : { ms, form: "iso-8601", precisionMs };
}

/** A number, or a text that is one. */
function countOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && COUNT.test(value) ? Number(value) : undefined;
}

function fromCount(count: number, nearMs: number): Timestamp | undefined {
  const isNear = (ms: number) => Math.abs(ms - nearMs) < YEAR_MS;
  if (isNear(count)) return { ms: Math.round(count), form: "epoch-milliseconds", precisionMs: 1 };
  if (!isNear(count * 1000)) return undefined;
  const precisionMs = Number.isInteger(count) ? 1000 : 1;
  return { ms: Math.round(count * 1000), form: "epoch-seconds", precisionMs };
}

/**
 * Whether a value is surely no moment, whatever its form: nothing, a truth value, a number that no clock shows or that is
 * a lifetime, a text that has a form that is read and names no moment, a value without a digit, or a text without end.
 */
export function isNoMoment(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return true;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length > LONGEST_MOMENT || !/\p{Nd}/u.test(text)) return true;
  const count = countOf(value);
  if (count !== undefined) return count < 1000 || isDuration(count);
  return (ISO.test(text) || HTTP.test(text)) && parseTimestamp(text, 0) === undefined;
}

/** Whether a number is what is left of a lifetime, in seconds to nanoseconds. */
function isDuration(count: number): boolean {
  return [LIFETIME_MS.challenge, LIFETIME_MS.session].some((lifetimeMs) =>
    [1e-3, 1, 1e3, 1e6].some((unit) => count > 0.9 * unit * lifetimeMs && count <= unit * lifetimeMs),
  );
}

/** The form in which a moment is written: reading of an open point; undefined where it is no moment. */
export function timestampForm(value: unknown, nearMs: number): string | undefined {
  return isNoMoment(value) ? undefined : (parseTimestamp(value, nearMs)?.form ?? NOT_READ);
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

/**
 * Checks that `expiresAt` lies `lifetimeMs` after the issue, within the service's clock resolution and that of its form
 * (contract, "Challenge" and "Session"; the form is open). The value of a form that is not read is not judged.
 */
export function judgeLifetime(
  { operation, body: { expiresAt }, sentAt, answeredAt }: Exchange,
  lifetimeMs: number,
  rule: string,
  context: JudgeContext,
): readonly Mismatch[] {
  if (isNoMoment(expiresAt))
    return [{ rule, path: "expiresAt", expected: "a moment, in any form", got: show(expiresAt) }];
  const written = parseTimestamp(expiresAt, sentAt + lifetimeMs);
  if (written === undefined) return [];
  const expectedMs = sentAt + lifetimeMs;
  const isWithin = (stepMs: number) => {
    const slack = Math.max(stepMs, clockResolution(written)) - 1 + context.clockToleranceMs;
    return written.ms >= expectedMs - slack && written.ms <= answeredAt + lifetimeMs + slack;
  };
  // Only what is not exact depends on the step in which the service counts time, which is measured for it.
  const stepMs = () => context.timekeeping.lives.find((one) => one.operation === operation)?.stepMs ?? 1;
  if (isWithin(1) || isWithin(stepMs())) return [];
  const off = written.ms - expectedMs;
  const expected = `issue + ${lifetimeMs / 1000} s: ${new Date(expectedMs).toISOString()}`;
  const got = `${show(expiresAt)}, ${Math.abs(off)} ms ${off < 0 ? "before" : "after"} it`;
  return [{ rule, path: "expiresAt", expected, got }];
}

const WRITTEN = new RegExp(
  `${ISO_TEXT}|${HTTP_TEXT}|(?<![\\dA-Za-z])\\d{9,13}(?:\\.\\d+)?(?![\\dA-Za-z])`,
  "g",
);
/** A time of day, or a count of seconds or milliseconds in hexadecimal. */
const MAY_BE_MOMENT = /\d:\d\d|(?<![\w-])(?:0x)?(?=\d*[a-f])[\da-f]{8,11}(?![\w-])/i;

/** Whether bytes hold the moment `ms`, to within `toleranceMs`, as text in a form that {@link parseTimestamp} reads. */
export function holdsMoment(bytes: Uint8Array, ms: number, toleranceMs: number): boolean {
  return [...textOf(bytes).matchAll(WRITTEN)].some(([found]) => {
    const read = parseTimestamp(found, ms);
    return read !== undefined && Math.abs(read.ms - ms) <= toleranceMs;
  });
}

/** Whether bytes may hold a moment in a form that is not read: they are no text, or have what looks like one. */
export function mayHoldUnreadMoment(bytes: Uint8Array): boolean {
  const text = textOf(bytes);
  if (!isUtf8(bytes) || /[^\P{Cc}\s]/u.test(text)) return true;
  // What names no zone may be a moment of any.
  const rest = text.replaceAll(WRITTEN, (found, date, _time, _fraction, zone) =>
    date !== undefined && zone === undefined ? found : "",
  );
  return MAY_BE_MOMENT.test(rest);
}

/** Bytes as text, in which some characters may stand percent-encoded, as in a query (RFC 3986, section 2.1). */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("utf8")
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
