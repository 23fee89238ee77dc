/** The report of an audit: one test for each rule that a recording can show to be violated. */

import type { Contract, Rule } from "../contract/contract.ts";
import { plural } from "../data/text.ts";
import type { Finding, Result } from "../play/result.ts";
import { digestOf } from "../run/plan.ts";
import type { Report } from "../run/run.ts";
import { judgeRun } from "../run/verdict.ts";
import type { Test } from "../suite/vector.ts";
import type { Audit, AuditFinding } from "./audit.ts";
import { describe, doubtOf } from "./format.ts";

/** Returns the tests of recordings, which a baseline can name: `recording/RULE`. @param file name for messages */
export function recordingTests({ rules }: Contract, file = "recording"): readonly Test[] {
  return [...rules.values()].filter(({ level }) => level === "required").map((rule) => testOf(rule, file));
}

function testOf({ id, statement }: Rule, file: string): Test {
  return { id: `recording/${id}`, title: statement.trim(), rules: [id], place: { file, line: 1 }, needs: [] };
}

/** Returns an audit as the report of a run of selected tests. A run that shows too little ends early. */
export function toReport(audit: Audit, contract: Contract, file: string, durationMs: number): Report {
  const tests = recordingTests(contract, file);
  const results = tests.flatMap((test) => resultOf(test, audit) ?? []);
  const doubt = doubtOf(audit);
  const ended = doubt === undefined ? undefined : ({ by: "limit", reason: doubt } as const);
  return {
    info: { implementation: { name: file, version: "unversioned" }, transport: "http" },
    results,
    verdict: judgeRun(contract, results, { part: "selected tests", ...(ended && { ended }) }),
    facts: {
      ...{ seed: 0, runs: 0, selection: {}, durationMs },
      suite: { vectors: tests.length, digest: digestOf(tests) },
      total: tests.length,
      selected: results.length,
      requests: audit.exchanges,
      ...(ended && { ended }),
    },
  };
}

/** Returns the result of a test, or undefined if no exchange tests its rule. */
function resultOf(test: Test, { findings, rules, startMs }: Audit): Result | undefined {
  const [rule = ""] = test.rules;
  const own = findings.filter((finding) => finding.rules[0] === rule);
  const count = Math.max(rules.get(rule) ?? 0, own.length);
  if (count === 0) return undefined;
  const isViolated = own.length > 0;
  return {
    vector: test,
    outcome: isViolated ? "failed" : "passed",
    reason: `${isViolated ? `${own.length} of ` : ""}${plural(count, "exchange")} tested the rule`,
    findings: own.map((finding) => toFinding(finding, startMs)),
    observations: [],
    recommendations: [],
  };
}

function toFinding({ event, because, ...finding }: AuditFinding, startMs: number): Finding {
  const { item, sentAt } = event;
  return {
    ...finding,
    place: item.place,
    step: item.place.entry === undefined ? "exchange" : `entry ${item.place.entry}`,
    clockMs: Math.round(sentAt - startMs),
    because: because.map(describe),
    ...{ malformed: false, incidental: false },
  };
}
