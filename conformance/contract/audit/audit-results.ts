import { auditId } from "../../engine/audit/recorded.ts";
import type { Failure, Result, TraceEntry } from "../../engine/play/result.ts";
import { showRequest, showResponse } from "../../engine/play/show-exchange.ts";
import type { AuditFacts } from "../../engine/run/report.ts";
import { responseSchemas } from "../judge/response-schemas.ts";
import { codeOf } from "../operations.ts";
import { asRecorded } from "../traffic/secret-masks.ts";
import { findingVector } from "./finding-vector.ts";
import type { Finding } from "./findings.ts";
import type { Seen } from "./seen.ts";
import type { AuditOutcome } from "./traffic-judge.ts";

/** Text limit of a timeline entry. */
const MOST_CHARACTERS = 200;
/** Findings of one rule that are shown in full. */
const MOST_TOLD = 3;

/** Facts of an audit about the recording as a whole. */
export function auditFacts(outcome: AuditOutcome, complete: boolean): AuditFacts {
  const { exchanges, judged, restarts, found: findings, unknown } = outcome;
  return { exchanges, judged, restarts, findings, complete, unknown, timelines: timelinesOf(outcome) };
}

function timelinesOf({ timelines, findings }: AuditOutcome): AuditFacts["timelines"] {
  const breaks = new Map<Seen, readonly string[]>();
  for (const { seen, rules } of findings) breaks.set(seen, [...(breaks.get(seen) ?? []), ...rules]);
  return [...timelines].map(([of, entries]) => ({
    of,
    entries: entries.map((seen) => ({
      clockMs: seen.beginsMs - (entries[0]?.beginsMs ?? 0),
      place: seen.source,
      ...saidOf(seen),
      breaks: breaks.get(seen) ?? [],
    })),
  }));
}

function saidOf(seen: Seen): { readonly asked: string; readonly answered: string } {
  if (seen.kind === "restart") return { asked: "(restart)", answered: "" };
  const { request, status, body } = seen.exchange;
  const { method, path, idempotencyKey: key } = request;
  const code = codeOf(body);
  return {
    asked: `${method} ${path}${key === undefined ? "" : `, key ${key}`}`.slice(0, MOST_CHARACTERS),
    answered: `${status ?? "no status"}${typeof code === "string" ? ` ${code}` : ""}`.slice(
      0,
      MOST_CHARACTERS,
    ),
  };
}

/** Results of an audit: one for each violated rule, and one for each operation that was seen. */
export function auditResults(outcome: AuditOutcome): readonly Result[] {
  const byRule = new Map<string, Finding[]>();
  for (const finding of outcome.findings) {
    const [rule = ""] = finding.rules;
    const others = byRule.get(rule);
    if (others === undefined) byRule.set(rule, [finding]);
    else others.push(finding);
  }
  const failed = [...byRule].map(([rule, findings]) => failedResult(rule, findings));
  return [...failed, ...seenResults(outcome)];
}

function failedResult(rule: string, findings: readonly Finding[]): Result {
  const told = findings.slice(0, MOST_TOLD).map((finding, index) => toldFinding(finding, index + 1));
  const [first] = findings;
  const vector = findings.map(findingVector).find((written) => "vector" in written);
  return {
    id: auditId(rule),
    kind: "recording",
    title: findings.length === 1 ? "one exchange breaks it" : `${findings.length} exchanges break it`,
    rules: [rule],
    outcome: "failed",
    ...(first === undefined ? {} : { source: first.seen.source }),
    failures: told.map(({ failure }) => failure),
    incidental: [],
    observations: [],
    advice: [],
    trace: told.flatMap(({ trace }) => trace),
    ...(vector === undefined ? {} : vector),
  };
}

/** Reasons why no finding of a rule can be replayed, by rule. */
export function unreplayable({ findings }: AuditOutcome): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  const written = new Set<string>();
  for (const finding of findings) {
    const [rule = ""] = finding.rules;
    const told = findingVector(finding);
    if ("vector" in told) written.add(rule);
    else if (!reasons.has(rule)) reasons.set(rule, told.reason);
  }
  return new Map([...reasons].filter(([rule]) => !written.has(rule)));
}

function toldFinding(finding: Finding, number: number): { failure: Failure; trace: readonly TraceEntry[] } {
  const { because, seen, rules, expected, got, differences, byAbsence } = finding;
  const beganMs = because[0]?.moment.earliest ?? 0;
  const trace = because.map((one, index) => traceEntry(one, `${number}.${index + 1}`, beganMs));
  const [rule = ""] = rules;
  const failure: Failure = {
    rule,
    rules,
    message: byAbsence ? `${got}; nothing that was recorded explains it` : got,
    step: `${number}.${because.length}`,
    place: seen.source,
    clockMs: seen.moment.earliest - beganMs,
    request: showRequest(asRecorded(seen.exchange.request)),
    response: showResponse(seen.exchange.envelope),
    expected,
    got,
    differences,
  };
  return { failure, trace };
}

function traceEntry(seen: Seen, step: string, beganMs: number): TraceEntry {
  const place = { step, place: seen.source, clockMs: seen.moment.earliest - beganMs };
  if (seen.kind === "restart")
    return { ...place, request: { method: "(restart)", path: "" }, response: null };
  const { request, envelope } = seen.exchange;
  return { ...place, request: showRequest(asRecorded(request)), response: showResponse(envelope) };
}

/** Results of the operations that were seen; the first carries the observations. */
function seenResults({ byOperation, served, observations, advice }: AuditOutcome): readonly Result[] {
  const schemas = responseSchemas();
  return Object.entries(byOperation).map(([operation, count], index): Result => {
    const rule = served.has(operation) ? schemas.successRule(operation) : undefined;
    const isFirst = index === 0;
    return {
      id: auditId(operation),
      kind: "recording",
      title: `${count} exchanges`,
      rules: rule === undefined ? [] : [rule],
      outcome: "passed",
      failures: [],
      incidental: [],
      observations: isFirst ? observations : [],
      advice: isFirst ? advice : [],
      trace: [],
    };
  });
}
