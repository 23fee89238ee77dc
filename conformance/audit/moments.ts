import { DataError } from "../engine/data/data-error.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";

/** A moment as ISO 8601 in UTC, to the microsecond: requests to a service in the same process take but a few. */
export function momentText(ms: number): string {
  const micros = Math.round(ms * 1000);
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = micros % 1000;
  return rest === 0 ? text : text.replace("Z", `${String(rest).padStart(3, "0")}Z`);
}

/** How long it is from one moment to another, in ms, as far as {@link momentText} tells them. */
export function spanMs(fromMs: number, toMs: number): number {
  return Math.max(0, Math.round(toMs * 1000) - Math.round(fromMs * 1000)) / 1000;
}

/** A moment in ISO 8601, in ms since the Unix epoch, with what the text says of fractions; NaN where it is none. */
function parsedMoment(text: string): number {
  const finer = /\.\d{3}(\d+)/.exec(text)?.[1];
  return Date.parse(text) + (finer === undefined ? 0 : Number(`0.${finer}`));
}

/** When something began, as far as it was written down. */
export interface WrittenMoment {
  readonly ms: number;
  /** By so much it may have been later: fractions of a second that were left out. */
  readonly blurMs: number;
}

/** Longer than anybody waits for an answer: it came by then, where a recording does not tell when. */
export const LONGEST_MS = 30_000;

/**
 * A moment of a recording.
 * @param at ISO 8601, or milliseconds since the Unix epoch
 * @throws {DataError} where it is none
 */
export function momentOf(at: unknown, { file, line }: SourcePlace): WrittenMoment {
  if (typeof at === "number" && Number.isFinite(at)) return { ms: at, blurMs: 0 };
  // A comma is as good as a point (ISO 8601).
  const text = typeof at === "string" ? at.replace(/(:\d\d),(\d)/, "$1.$2") : "";
  const ms = parsedMoment(text);
  if (Number.isFinite(ms)) return { ms, blurMs: blurOf(text) };
  throw new DataError(`${file}:${line}`, `${JSON.stringify(at ?? null).slice(0, 60)} is no moment`);
}

/** By when something was that took no time, where that is not known to the millisecond. */
export function endOf(startedMs: number, blurMs: number): { readonly endedMs?: number } {
  return blurMs > 0 ? { endedMs: startedMs + blurMs } : {};
}

function blurOf(text: string): number {
  const [, digits = ""] = /:\d\d(?:\.(\d+))?(?=$|[^\d:.])/.exec(text) ?? [];
  return Math.max(0, 10 ** (3 - digits.length) - 1);
}
