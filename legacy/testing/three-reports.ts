import type { Result } from "../engine/play/result.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { failedResult, resultOf } from "./results.ts";
import { smallReport } from "./small-report.ts";

const seen = (reading: string): Pick<Result, "observations"> => ({
  observations: [{ point: "SHAPE", reading }],
});

/** Three small reports: the first two conform and differ in a reading, the third breaks a rule. */
export function threeReports(): readonly { readonly file: string; readonly report: GatedReport }[] {
  const made = (name: string, results: readonly Result[]) => ({
    file: `${name}.json`,
    report: { ...smallReport(results), implementation: { name, version: "1" } },
  });
  const rest = [resultOf("limits/two", ["LIMIT-2"]), resultOf("errors/one", ["ERROR-1"])];
  return [
    made("first", [resultOf("limits/one", ["LIMIT-1"], seen("so")), ...rest]),
    made("second", [resultOf("limits/one", ["LIMIT-1"], seen("otherwise")), ...rest]),
    made("third", [failedResult("limits/one", ["LIMIT-1"]), ...rest]),
  ];
}
