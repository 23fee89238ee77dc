import type { ReportData } from "./data.ts";
import { type RunnerTest, testsBySuite } from "./tests.ts";

/** Prints a report as TAP version 14. Known failures are `TODO` tests. */
export function printTap(data: ReportData): string {
  const tests = [...testsBySuite(data).values()].flat();
  const points = tests.flatMap((test, index) => testPoint(test, index + 1));
  return ["TAP version 14", `1..${tests.length}`, ...points, ""].join("\n");
}

function testPoint(
  { name, outcome, durationMs, reason, lines }: RunnerTest,
  number: number,
): readonly string[] {
  const isOk = outcome === "passed" || outcome === "skipped";
  const directive =
    outcome === "skipped" ? ` # SKIP ${reason}` : outcome === "known" ? ` # TODO ${reason}` : "";
  const message = isOk ? [] : ["  message: |", ...lines.map((line) => `    ${line}`)];
  return [
    // The specification, section "Escaping".
    `${isOk ? "ok" : "not ok"} ${number} - ${name.replace(/[#\\]/g, "\\$&")}${directive}`,
    "  ---",
    `  duration_ms: ${durationMs}`,
    ...message,
    "  ...",
  ];
}
