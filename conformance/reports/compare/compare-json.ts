import { escapedJson } from "../json.ts";
import type { Comparison, Subject } from "./comparison.ts";

/** A comparison for programs: what differs, and of each report what says whose it is. Pure: gives the text. */
export function compareJson(comparison: Comparison): string {
  return escapedJson({ ...comparison, subjects: comparison.subjects.map(inShort) });
}

function inShort({ report, ...subject }: Subject): unknown {
  const { implementation, kit, suite, adapter, seed, runs, verdict, selection, totals } = report;
  const chosen = selection === undefined ? {} : { selection };
  return { ...subject, implementation, kit, suite, adapter, seed, runs, verdict, ...chosen, totals };
}
