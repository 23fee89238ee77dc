import type { Result } from "../engine/play/result.ts";
import { plainLine } from "../plain-text.ts";

/**
 * Why a failure does not fail the run: the user's baseline knows it, or the frozen set that the run is judged by does
 * not have the vector yet.
 * @returns undefined for a result that did not fail, and for a failure that counts
 */
export function waiver({ outcome, known, later, broke }: Result): string | undefined {
  if (outcome !== "failed" || broke) return undefined;
  if (known !== undefined) {
    const { reason, link, expires } = known;
    const until = expires === undefined ? "" : ` (until ${expires})`;
    return plainLine(`${reason}${link === undefined ? "" : ` ${link}`}${until}`, 200);
  }
  return later ? "came after the suite that counts" : undefined;
}

/** Whether a result fails the run, or at least keeps it from passing. */
export function counts(result: Result): boolean {
  return (result.outcome === "failed" || result.outcome === "error") && waiver(result) === undefined;
}
