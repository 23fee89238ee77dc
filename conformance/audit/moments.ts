import { DataError } from "../engine/data/data-error.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { parsedMoment } from "./moment-text.ts";

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
