import type { GatedReport } from "../policies/gated-report.ts";

/** Where there may be something to escape: found fast, as most of a report is plain letters. */
const UNUSUAL = /[^\n\u0020-\u007e]+|#(?=#[A-Za-z]*\[)/g;

/**
 * Of what JSON leaves as it is, the characters that could act on a terminal (DEL, C1, format characters, code points
 * that are none) or on the log of a CI server (`##[command]`).
 */
const ACTING = /[\u007f-\u009f\p{Cf}\p{Noncharacter_Code_Point}\u2028\u2029#]/gu;

/** The report for programs: report.schema.json beside the rules describes it. Safe to print on a terminal, too. */
export function jsonReport(report: GatedReport): string {
  return escapedJson(report);
}

/** A value as JSON that a terminal shows as it stands. */
export function escapedJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(UNUSUAL, (found) => found.replace(ACTING, escaped))}\n`;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
