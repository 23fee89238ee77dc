/**
 * The JSON form of a report, which is also what printers take. All texts are cut, and safe to print.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { show } from "../adapters/json.ts";
import { escapeText } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { DataError } from "../contract/data-file.ts";
import type { Exchange } from "../contract/exchange.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { findSchemaFaults } from "../contract/schema-check.ts";
import type { Finding, Result } from "../play/result.ts";
import type { Report } from "../run/run.ts";
import { type EarlyEnd, observedReadings, type RuleOutcome, type Verdict } from "../run/verdict.ts";

/** A report as data (schema: `vectors/contract/run-report.schema.json`). */
export interface ReportData {
  /** Version of the kit. */
  readonly kit: string;
  readonly contract: string;
  /** Present if a client was tested, whose name is in `service`. */
  readonly side?: "client";
  readonly service: {
    readonly name: string;
    readonly version: string;
    readonly language?: string;
    readonly transport: string;
  };
  readonly run: {
    readonly seed: number;
    readonly suite: { readonly vectors: number; readonly digest: string };
    /** Options that selected vectors, if any. */
    readonly selection?: {
      readonly only?: readonly string[];
      readonly failed?: string;
      readonly shard?: string;
    };
    readonly selected: number;
    readonly requests: number;
    readonly durationMs: number;
    readonly ended?: EarlyEnd;
  };
  readonly verdict: { readonly conclusion: Verdict["conclusion"]; readonly exitStatus: number };
  readonly tests: Readonly<Record<Result["outcome"], number>>;
  readonly rules: readonly RuleData[];
  readonly results: readonly ResultData[];
  /** Observed readings of each open point. */
  readonly behavior: Readonly<Record<string, readonly string[]>>;
}

export interface RuleData {
  readonly id: string;
  readonly level: string;
  readonly outcome: RuleOutcome;
  /** Why a rule was not tested. */
  readonly reason?: string;
  /** Number of vectors with a finding about the rule. */
  readonly violations?: number;
}

export interface ResultData {
  readonly id: string;
  /** `file:line` of the vector. */
  readonly place: string;
  readonly outcome: Result["outcome"];
  readonly reason?: string;
  readonly findings?: readonly FindingData[];
  /** Number of findings that are left out. */
  readonly moreFindings?: number;
  readonly recommendations?: readonly { readonly rule: string; readonly message: string }[];
}

export interface FindingData {
  readonly rules: readonly string[];
  /** `file:line` of the step. */
  readonly place: string;
  readonly step: string;
  /** Time since the start of the vector on the service's clock, in ms. */
  readonly clockMs: number;
  readonly sent?: string;
  readonly expected: string;
  readonly got: string;
  /** The response: status and body. */
  readonly received?: string;
  /** Paths of the wrong values in the response. */
  readonly paths?: readonly string[];
  /** Whether the finding did not fail its vector, because it is about another rule. */
  readonly incidental?: boolean;
}

/** Maximum number of findings in the data of one vector. Filling a store can show thousands. */
const MAX_FINDINGS = 10;
const MAX_TEXT = 2_000;

/** @param kit version of the kit */
export function toData(
  { info, results, verdict, facts }: Report,
  kit: string,
  side?: ReportData["side"],
): ReportData {
  const { seed, suite, selection, selected, requests, durationMs, ended } = facts;
  const { only, failed, shard } = selection;
  const selectedBy = {
    ...(only && { only }),
    ...(failed && { failed: failed.file }),
    ...(shard && { shard: `${shard.index}/${shard.count}` }),
  };
  const { name, version, language } = info.implementation;
  const count = (outcome: Result["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  return {
    kit,
    contract: SERVED_CONTRACT.version,
    ...(side && { side }),
    service: {
      name: text(name),
      version: text(version),
      ...(language !== undefined && { language: text(language) }),
      transport: info.transport,
    },
    run: {
      seed,
      suite,
      ...(Object.keys(selectedBy).length > 0 && { selection: selectedBy }),
      selected,
      requests,
      durationMs: Math.round(durationMs),
      ...(ended && { ended: { ...ended, reason: text(ended.reason) } }),
    },
    verdict: { conclusion: verdict.conclusion, exitStatus: verdict.exitStatus },
    tests: {
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      error: count("error"),
    },
    rules: ruleData(verdict, results),
    results: results.map(toResultData),
    behavior: behaviorOf(results),
  };
}

function ruleData({ rules }: Verdict, results: readonly Result[]): readonly RuleData[] {
  const violations = new Map<string, number>();
  for (const { findings, recommendations } of results) {
    const violated = [
      ...findings.flatMap((finding) => finding.rules),
      ...recommendations.map(({ rule }) => rule),
    ];
    for (const rule of new Set(violated)) violations.set(rule, (violations.get(rule) ?? 0) + 1);
  }
  return rules.map(({ rule: { id, level }, outcome, reason }) => ({
    id,
    level,
    outcome,
    ...(outcome === "not-tested" && reason !== undefined && { reason: text(reason) }),
    ...(outcome === "violated" && { violations: violations.get(id) ?? 0 }),
  }));
}

function behaviorOf(results: readonly Result[]): ReportData["behavior"] {
  const observed = [...observedReadings(results)].map(([point, readings]) => [point, [...readings].sort()]);
  return Object.fromEntries(observed.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

/** Returns the data of one result. Findings that failed the vector come first. */
export function toResultData({ vector, outcome, reason, findings, recommendations }: Result): ResultData {
  const ordered = [...findings].sort((one, other) => Number(one.incidental) - Number(other.incidental));
  const shown = ordered.slice(0, MAX_FINDINGS);
  return {
    id: vector.id,
    place: `${vector.place.file}:${vector.place.line}`,
    outcome,
    ...(reason !== undefined && { reason: text(reason) }),
    ...(shown.length > 0 && { findings: shown.map(toFindingData) }),
    ...(ordered.length > shown.length && { moreFindings: ordered.length - shown.length }),
    ...(recommendations.length > 0 && {
      recommendations: recommendations.map(({ rule, message }) => ({ rule, message: text(message) })),
    }),
  };
}

function toFindingData(finding: Finding): FindingData {
  const { rules, place, step, clockMs, exchange, expected, got, paths, incidental } = finding;
  return {
    rules,
    place: `${place.file}:${place.line}`,
    step,
    clockMs,
    ...(exchange && { sent: requestText(exchange) }),
    expected: text(expected),
    got: text(got),
    ...(exchange && { received: responseText(exchange) }),
    ...(paths.length > 0 && { paths: paths.map(text) }),
    ...(incidental && { incidental }),
  };
}

/** Returns a request as text: method, path, credentials, and body. */
function requestText({ request: { method, path, body, bearer, idempotencyKey } }: Exchange): string {
  const bodyText = body instanceof Uint8Array ? `(base64) ${Buffer.from(body).toString("base64")}` : body;
  const parts = [
    method,
    path,
    ...(bearer === undefined ? [] : [`(bearer ${show(bearer)})`]),
    ...(idempotencyKey === undefined ? [] : [`(key ${show(idempotencyKey)})`]),
    ...(bodyText === undefined ? [] : [bodyText]),
  ];
  return text(parts.join(" "));
}

function responseText({ envelope, status, body }: Exchange): string {
  return status === undefined ? show(envelope, MAX_TEXT) : `${status} ${show(body, MAX_TEXT)}`;
}

function text(value: string): string {
  return escapeText(value, MAX_TEXT);
}

/** Formats a report as JSON. No line of it is a command of a CI service. */
export function formatJson(data: ReportData): string {
  return `${JSON.stringify(data, null, 2).replaceAll("##", "#\\u0023")}\n`;
}

const SCHEMA = join(DATA_FOLDER, "contract", "run-report.schema.json");

/**
 * Reads a report.
 * @throws {DataError} if the file is not the JSON form of a report
 */
export function readReport(file: string): ReportData {
  const fail = (reason: string): never => {
    throw new DataError(`${file}: not a report (${reason}); create one with --reporter json=FILE`);
  };
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new DataError(`${file}: cannot be read (${code})`);
    return fail("it is not JSON");
  }
  const [fault] = findSchemaFaults(data, SCHEMA);
  if (fault !== undefined) fail(escapeText(fault.message.split(";", 1)[0] ?? "", 200));
  return data as ReportData;
}

/** Returns the IDs of the vectors that failed or ended in an error, or showed a violation of another rule. */
export function failedIds({ results }: ReportData): ReadonlySet<string> {
  const failed = results.filter(
    ({ outcome, findings = [] }) => outcome === "failed" || outcome === "error" || findings.length > 0,
  );
  return new Set(failed.map(({ id }) => id));
}
