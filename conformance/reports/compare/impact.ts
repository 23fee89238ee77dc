import type { OpenPoint } from "../../engine/rule-book.ts";

/** What a client, or whoever stands behind it, would notice of two implementations reading an open point differently. */
export type Impact = "form" | "acceptance" | "answer" | "limit";

/** What each kind means for who relies on both, hardest first. */
export const IMPACTS: Readonly<Record<Impact, { readonly title: string; readonly means: string }>> = {
  form: {
    title: "What answers look like and hold",
    means: "A client that reads, signs or shows the answers of one may not manage those of another.",
  },
  acceptance: {
    title: "What is accepted",
    means: "A request that one serves is refused by another, or taken for something else.",
  },
  limit: {
    title: "Limits, lifetimes and what is remembered",
    means:
      "The same sequence of requests ends otherwise: at a limit, at the end of a lifetime, after a refusal.",
  },
  answer: {
    title: "How a fault is answered",
    means: "The same fault gets another status or code: a client that decides by them behaves otherwise.",
  },
};

/** Readings that say that a request is served rather than refused. */
const SERVED = new Set(["accepted", "served", "same-input"]);

/**
 * The impact of reading this point in these ways, told by the answers that show them.
 * @param observed as reports write them: a reading, or several joined by ` | `
 */
export function impactOf(
  { readings, area }: Pick<OpenPoint, "readings" | "area">,
  observed: readonly string[],
): Impact {
  if (!readings.every(({ outcome }) => outcome !== undefined)) {
    if (area === "limit") return "limit";
    return area === "json" ? "acceptance" : "form";
  }
  const seen = new Set(observed.flatMap((reading) => reading.split(" | ")));
  const answered = readings.filter(({ id, outcome }) => seen.has(id) && (outcome?.status ?? 0) < 400);
  if (answered.length === 0) return "answer";
  return answered.some(({ id }) => SERVED.has(id)) ? "acceptance" : "limit";
}
