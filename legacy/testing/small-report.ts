import { CONTRACT_ID } from "../contract/operations.ts";
import type { Result } from "../engine/play/result.ts";
import type { OpenPoint, Rule, RuleBook } from "../engine/rule-book.ts";
import { makeReport } from "../engine/run/report.ts";
import type { GatedReport } from "../policies/gated-report.ts";

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  area: id.split("-")[0]?.toLowerCase() ?? "",
  section: "Limits; Errors",
  level: "required",
  statement: `The service keeps ${id}.`,
  observable: true,
  ...more,
});
const point = (id: string, more: Partial<OpenPoint> = {}): OpenPoint => ({
  id,
  area: "limit",
  section: "Limits",
  question: "How is it done?",
  readings: [{ id: "so" }, { id: "otherwise" }],
  reference: "so",
  why: "it is plain",
  observable: true,
  ...more,
});
const RULES = [
  rule("LIMIT-1"),
  rule("LIMIT-2"),
  rule("LIMIT-3", { observable: false, reason: "it leaves no trace" }),
  rule("LIMIT-4", { level: "advice" }),
  rule("ERROR-1"),
];
const POINTS = [
  point("SHAPE"),
  point("CODE-X", {
    area: "error",
    readings: [{ id: "A", outcome: { status: 400, codes: ["A"] } }],
    reference: "A",
  }),
  point("INSIDE", { observable: false, reason: "it leaves no trace" }),
];

/** A contract of two areas, small enough to read a whole report about it. */
export const SMALL_CONTRACT: RuleBook & { readonly id: string } = {
  id: CONTRACT_ID,
  areas: new Map([
    ["limit", "Limits"],
    ["error", "Errors"],
  ]),
  rules: new Map(RULES.map((one) => [one.id, one])),
  points: new Map(POINTS.map((one) => [one.id, one])),
};

/** A report on these results. */
export function smallReport(results: readonly Result[], accepted: readonly string[] = []): GatedReport {
  return makeReport(SMALL_CONTRACT, {
    results,
    facts: {
      kitVersion: "1.2.3",
      info: { implementation: { name: "my-service", version: "0.9", language: "Go" } },
      adapter: "stdio",
      seed: 7,
      runs: 20,
      durationMs: 1_234,
      digest: "0123456789abcdef".repeat(4),
      accepted: new Set(accepted),
    },
  });
}
