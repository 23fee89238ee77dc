import type { GatedReport } from "../policies/gated-report.ts";
import { HOSTILE } from "./hostile-text.ts";
import { failedResult, failureOf, resultOf } from "./results.ts";
import { smallReport } from "./small-report.ts";

/** A report in which every kind of result stands: 2 passed, 3 failed of which 1 does not count, 1 skipped, 1 error. */
export function outcomesReport(): GatedReport {
  return smallReport([
    resultOf("limits/good", ["LIMIT-1"]),
    failedResult("limits/bad", ["LIMIT-1"]),
    resultOf("limits/unable", ["LIMIT-2"], { outcome: "skipped", reason: "needs the operator key" }),
    {
      ...failedResult("limits/known", ["LIMIT-2"]),
      known: { reason: "to be mended", link: "https://a.example/1" },
    },
    resultOf("errors/broken", ["ERROR-1"], { outcome: "error", reason: "no answer within 5 s" }),
    resultOf("property/good", ["ERROR-1"], { kind: "property" }),
    resultOf("property/bad", ["ERROR-1"], {
      kind: "property",
      outcome: "failed",
      failures: [
        failureOf(["ERROR-1"], { place: { file: "property/bad", line: 1 } }),
        failureOf(["LIMIT-1"], { place: { file: "property/bad", line: 1 } }),
      ],
      vector: "suite: found\nvectors:\n  - id: bad\n",
    }),
  ]);
}

/** A report on a service that writes hostile text wherever it can, and breaks in every way. */
export function hostileReport(): GatedReport {
  const failure = failureOf(["LIMIT-1"], {
    expected: HOSTILE,
    got: HOSTILE,
    message: HOSTILE,
    request: { method: HOSTILE, path: HOSTILE, body: HOSTILE, bearer: HOSTILE, idempotencyKey: HOSTILE },
    response: { status: HOSTILE, body: { [HOSTILE]: HOSTILE } },
    differences: [{ path: HOSTILE, expected: HOSTILE, got: HOSTILE }],
  });
  const report = smallReport([
    resultOf("limits/bad", ["LIMIT-1"], { outcome: "failed", failures: [failure] }),
    { ...failedResult("limits/known", ["LIMIT-1"]), known: { reason: HOSTILE } },
    resultOf("limits/unable", ["LIMIT-2"], { outcome: "skipped", reason: HOSTILE }),
    resultOf("errors/broken", ["ERROR-1"], { outcome: "error", reason: HOSTILE }),
    resultOf("errors/hangs", ["ERROR-1"], {
      outcome: "error",
      reason: HOSTILE,
      breakage: { kind: "hang", step: "1", clockMs: 0, request: failure.request, log: HOSTILE },
    }),
    resultOf("errors/odd", ["ERROR-1"], {
      observations: [{ point: "SHAPE", reading: HOSTILE }],
      advice: [{ rule: "LIMIT-4", message: HOSTILE }],
    }),
  ]);
  return { ...report, implementation: { name: HOSTILE, version: HOSTILE, language: HOSTILE } };
}
