/** Reports in JSON form, the input of all printers. All texts have a maximum length and are safe to print. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FailureDetails, ImplementationInfo, Request } from "../adapters/adapter.ts";
import { lackedNames } from "../adapters/info.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import type { Contract, OpenPoint, Rule } from "../contract/contract.ts";
import type { Exchange } from "../contract/exchange.ts";
import { hintFor } from "../contract/pitfalls.ts";
import { DataError, readRegularFile } from "../data/data-file.ts";
import { isObject, parseJson, show, valueAt } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { findSchemaFaults } from "../data/schema-check.ts";
import { cutText, escapeText, safeJson, shellLine } from "../data/text.ts";
import type { Recommendation } from "../judge/judgment.ts";
import type { Finding, Refusal, Result } from "../play/result.ts";
import type { Report, RunFacts } from "../run/run.ts";
import { doubtOf, observedReadings, type RuleOutcome, type Verdict } from "../run/verdict.ts";
import type { Vector } from "../suite/vector.ts";

/** A report as data (schema: `vectors/contract/run-report.schema.json`). */
export interface ReportData {
  /** Version of the kit. */
  readonly kit: string;
  readonly contract: string;
  /** Present if a client, or a recording of a service, was tested. Its name is in `service`. */
  readonly side?: "client" | "recording";
  readonly service: ImplementationInfo["implementation"] & {
    readonly transport: string;
    /** Digest of the capabilities and facts that the service states. Absent for a client. */
    readonly factsDigest?: string;
  };
  readonly run: Omit<RunFacts, "selection"> & {
    /** Options that selected vectors, if any. */
    readonly selection?: {
      /** File of vectors that replaced the suite. */
      readonly file?: string;
      readonly only?: readonly string[];
      readonly failed?: string;
      readonly shard?: string;
    };
    /** Command that tests this service again, without a selection. */
    readonly command?: string;
    /** Start of the run, in UTC (ISO 8601). */
    readonly date?: string;
  };
  readonly verdict: { readonly conclusion: Verdict["conclusion"]; readonly exitStatus: number };
  readonly tests: Readonly<Record<Result["outcome"], number>>;
  /** Coverage of the properties. Absent without properties. */
  readonly search?: {
    readonly requests: number;
    /** Number of distinct responses: operation, status, and code. */
    readonly responses: number;
    /** Number of distinct pairs of successive responses. */
    readonly pairs: number;
    /** Number of responses that the model did not judge. */
    readonly notDecided: number;
  };
  readonly rules: readonly RuleData[];
  readonly results: readonly ResultData[];
  /** Observed readings of each open point. */
  readonly behavior: Readonly<Record<string, readonly string[]>>;
  readonly openPoints: readonly OpenPointData[];
  readonly policies?: readonly PolicyData[];
}

/** Result of one of the user's policies. Each problem makes the run fail. */
export interface PolicyData {
  readonly policy: "baseline" | "choices" | "allow-not-tested";
  readonly summary: string;
  readonly problems: readonly {
    /** `file:line`. */
    readonly place?: string;
    readonly message: string;
  }[];
}

/** The user's statement about a failure (see the baseline schema). */
export interface KnownFailure {
  readonly reason: string;
  readonly link?: string;
  /** Last day on which the failure is accepted, in UTC: `YYYY-MM-DD`. */
  readonly expires?: string;
}

/** An open point, and the reading that the reference shows. */
export type OpenPointData = Pick<OpenPoint, "id" | "question" | "reference">;

export interface RuleData extends Pick<Rule, "id" | "level" | "statement" | "section"> {
  readonly outcome: RuleOutcome;
  /** Why a rule was not tested. */
  readonly reason?: string;
  /** Whether the user accepts that the rule was not tested. */
  readonly isAllowed?: boolean;
  /** Number of vectors with a finding about the rule. */
  readonly violations?: number;
}

export interface ResultData
  extends Pick<Vector, "id" | "title" | "rules">,
    Pick<Result, "outcome" | "reason" | "excuse"> {
  /** `file:line` of the vector. */
  readonly place: string;
  /** The user's statement about the failure, if the baseline has one. */
  readonly known?: KnownFailure;
  /** Why the rules of the test count as not tested, whichever other tests they have. */
  readonly doubt?: string;
  readonly refusals?: readonly Omit<Refusal, "finding">[];
  /** Names of the capabilities and facts that a skipped vector needs. */
  readonly lacks?: readonly string[];
  readonly durationMs: number;
  /** The error of the implementation that ended the test. */
  readonly error?: ErrorData;
  readonly findings?: readonly FindingData[];
  /** Number of findings that are left out. */
  readonly moreFindings?: number;
  readonly recommendations?: readonly Recommendation[];
  /** For a property: the lines of a suite whose only vector is the failing case. */
  readonly counterexample?: readonly string[];
}

/** An error of the implementation. `sent` is the request that has no response. */
export interface ErrorData extends Omit<FailureDetails, "request"> {
  readonly sent?: string;
}

export interface FindingData
  extends Pick<Finding, "rules" | "step" | "clockMs" | "expected" | "got" | "because"> {
  /** `file:line` of the step. */
  readonly place: string;
  readonly sent?: string;
  /** The response: status and body. */
  readonly received?: string;
  /** Paths of the wrong values in the response. */
  readonly paths?: readonly string[];
  /** The likely cause, and what to do. */
  readonly hint?: string;
  /** Command that sends the request to a server. Absent if one line of text cannot show the request. */
  readonly curl?: string;
  /** Whether the finding did not fail its vector, because the vector tests a different rule. */
  readonly incidental?: boolean;
}

/** Content of a report that does not come from the run. */
export interface ReportContext {
  /** Version of the kit. */
  readonly kit: string;
  readonly contract: Contract;
  /** Command that tests this service again, without a selection: `… run --module x.ts`. */
  readonly command?: string;
  /** Start of the run, in UTC (ISO 8601). */
  readonly date?: string;
  /** Base URL of the service, if it is a server. */
  readonly url?: string;
  readonly side?: "client" | "recording";
}

/** Maximum number of findings in the data of one vector. A vector that fills a store can have thousands. */
const MAX_FINDINGS = 10;
const MAX_TEXT = 2_000;

/** Returns the report of a run as data. */
export function toData({ info, results, verdict, facts }: Report, context: ReportContext): ReportData {
  const { selection, durationMs, ended, ...counts } = facts;
  const { file, only, failed, shard } = selection;
  const selectedBy = {
    ...(file !== undefined && { file }),
    ...(only && { only }),
    ...(failed && { failed: failed.file }),
    ...(shard && { shard: `${shard.index}/${shard.count}` }),
  };
  const { name, version, language } = info.implementation;
  return {
    kit: context.kit,
    contract: SERVED_CONTRACT.version,
    ...(context.side && { side: context.side }),
    service: {
      name: text(name),
      version: text(version),
      ...(language !== undefined && { language: text(language) }),
      transport: info.transport,
      ...(info.facts && { factsDigest: factsDigest(info) }),
    },
    run: {
      ...counts,
      ...(Object.keys(selectedBy).length > 0 && { selection: selectedBy }),
      durationMs: Math.round(durationMs),
      ...(ended && { ended: { ...ended, reason: text(ended.reason) } }),
      ...(context.command !== undefined && { command: text(context.command) }),
      ...(context.date !== undefined && { date: context.date }),
    },
    verdict: { conclusion: verdict.conclusion, exitStatus: verdict.exitStatus },
    tests: countTests(results),
    ...searchData(results),
    rules: ruleData(verdict, results),
    results: results.map((result) => {
      const lacked = result.outcome === "skipped" ? lackedNames(info, result.vector.needs) : [];
      const lacks = result.lacks === undefined ? lacked : [...lacked, result.lacks];
      const doubt = doubtOf(result, facts.limits ?? {});
      return {
        ...toResultData(result, context),
        ...(doubt !== undefined && { doubt: text(doubt) }),
        ...(lacks.length > 0 && { lacks }),
      };
    }),
    behavior: behaviorOf(results),
    openPoints: [...context.contract.openPoints.values()].map(({ id, question, reference }) => {
      return { id, question, reference };
    }),
  };
}

/** Returns a digest of the capabilities and facts. The order of their members does not matter. */
function factsDigest({ capabilities, facts }: Partial<ImplementationInfo>): string {
  const sorted = (_: string, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
  const text = JSON.stringify({ capabilities, facts }, sorted);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Returns the number of tests with each outcome. */
export function countTests(results: readonly Pick<Result, "outcome">[]): ReportData["tests"] {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

function searchData(results: readonly Result[]): Pick<ReportData, "search"> {
  const searches = results.flatMap(({ search }) => search ?? []);
  if (searches.length === 0) return {};
  const pairs = new Set(searches.flatMap((search) => search.pairs));
  const responses = new Set([...pairs].flatMap((pair) => pair.split(" > ")));
  const sum = (name: "requests" | "notDecided") => searches.reduce((total, one) => total + one[name], 0);
  const distinct = { responses: responses.size, pairs: pairs.size };
  return { search: { requests: sum("requests"), ...distinct, notDecided: sum("notDecided") } };
}

function ruleData({ rules }: Verdict, results: readonly Result[]): readonly RuleData[] {
  const isViolatedBy = (id: string, { findings, recommendations }: Result) =>
    findings.some((finding) => finding.rules.includes(id)) || recommendations.some(({ rule }) => rule === id);
  return rules.map(({ rule: { id, level, statement, section }, outcome, reason }) => ({
    id,
    level,
    statement: statement.trim(),
    section,
    outcome,
    ...(outcome === "not-tested" && reason !== undefined && { reason: text(reason) }),
    ...(outcome === "violated" && {
      violations: results.filter((result) => isViolatedBy(id, result)).length,
    }),
  }));
}

function behaviorOf(results: readonly Result[]): ReportData["behavior"] {
  const observed = [...observedReadings(results)].map(([point, readings]) => [point, [...readings].sort()]);
  return Object.fromEntries(observed.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

/** Returns the data of one result. Findings that failed the vector come first. */
export function toResultData(result: Result, context: ReportContext): ResultData {
  const { vector, outcome, reason, excuse, refusals, error, durationMs = 0, findings } = result;
  const { recommendations, search } = result;
  const ordered = [...findings].sort((one, other) => Number(one.incidental) - Number(other.incidental));
  const shown = ordered.slice(0, MAX_FINDINGS);
  return {
    id: vector.id,
    place: `${vector.place.file}:${vector.place.line}`,
    title: vector.title,
    rules: vector.rules,
    outcome,
    durationMs: Math.round(durationMs),
    ...(reason !== undefined && { reason: text(reason) }),
    ...(excuse && { excuse }),
    ...(refusals && { refusals: refusals.map(({ code, counts }) => ({ code, counts })) }),
    ...(outcome === "error" && error && { error: toErrorData(error) }),
    ...(shown.length > 0 && { findings: shown.map((finding) => toFindingData(finding, context)) }),
    ...(ordered.length > shown.length && { moreFindings: ordered.length - shown.length }),
    ...(recommendations.length > 0 && {
      recommendations: recommendations.map(({ rule, message }) => ({ rule, message: text(message) })),
    }),
    ...(search?.counterexample !== undefined && {
      counterexample: search.counterexample.trimEnd().split("\n").map(text),
    }),
  };
}

function toErrorData({ thrown, frames = [], log = [], request, expected }: FailureDetails): ErrorData {
  return {
    ...(thrown !== undefined && { thrown }),
    ...(frames.length > 0 && { frames }),
    ...(log.length > 0 && { log }),
    ...(request && { sent: requestText(request) }),
    ...(expected !== undefined && { expected }),
  };
}

function toFindingData(finding: Finding, { contract, url }: ReportContext): FindingData {
  const { rules, place, step, clockMs, exchange, expected, got, because, paths, incidental } = finding;
  const sent = exchange && requestText(exchange.request);
  const received = exchange && responseText(exchange);
  const hint = hintFor(contract.pitfalls, { rules, expected, got, received });
  const curl = exchange && url !== undefined ? curlCommand(exchange, url) : undefined;
  return {
    rules,
    place: `${place.file}:${place.line}`,
    step,
    clockMs,
    ...(sent !== undefined && { sent }),
    expected: text(expected),
    got: text(got),
    ...(received !== undefined && { received }),
    ...(because && { because: because.map(text) }),
    ...(paths.length > 0 && { paths: paths.map(text) }),
    ...(hint !== undefined && { hint }),
    ...(curl !== undefined && { curl }),
    ...(incidental && { incidental }),
  };
}

function requestText({ method, path, body, bearer, idempotencyKey }: Request): string {
  const bearerText = bearer === undefined ? undefined : `(bearer ${show(bearer)})`;
  const keyText = idempotencyKey === undefined ? undefined : `(key ${show(idempotencyKey)})`;
  const bodyText = body instanceof Uint8Array ? `(base64) ${Buffer.from(body).toString("base64")}` : body;
  const parts = [method, path, bearerText, keyText, bodyText].filter((part) => part !== undefined);
  return text(parts.join(" "));
}

function responseText({ envelope, status }: Exchange): string {
  if (status === undefined) return show(envelope, MAX_TEXT);
  return `${status} ${show(valueAt(envelope, ["body"]), MAX_TEXT)}`;
}

/** Returns the command that sends a request, or undefined if a line of text cannot show it. */
function curlCommand({ request }: Exchange, url: string): string | undefined {
  const { method, path, body, bearer, idempotencyKey, authorization, chunked } = request;
  if (body instanceof Uint8Array || chunked === true) return undefined;
  const header = (name: string, value: string | undefined) =>
    value === undefined ? [] : ["-H", `${name}: ${value}`];
  const words = [
    ...["curl", "-i"],
    ...(method === "GET" && body === undefined ? [] : ["-X", method]),
    ...[url.replace(/\/+$/, "") + path],
    ...(/^[\w/-]*$/.test(path) ? [] : ["--path-as-is", "--globoff"]),
    ...header("Authorization", authorization ?? (bearer === undefined ? undefined : `Bearer ${bearer}`)),
    ...header("Idempotency-Key", idempotencyKey),
    ...(body === undefined ? [] : [...header("Content-Type", "application/json"), "--data-raw", body]),
  ];
  const line = shellLine(words);
  return text(line) === line ? line : undefined;
}

function text(value: string): string {
  return escapeText(value, MAX_TEXT);
}

const MAX_JSON_BYTES = 4_000_000;

/** Limits on texts and findings, from high to low. A report uses the first row that makes it short enough. */
const JSON_LIMITS = [
  { maxLength: MAX_TEXT, maxFindings: MAX_FINDINGS },
  { maxLength: 500, maxFindings: 3 },
  { maxLength: 200, maxFindings: 1 },
  { maxLength: 60, maxFindings: 1 },
];
const CUT_MEMBERS: ReadonlySet<string> = new Set(["expected", "got", "sent", "received", "message"]);

/**
 * Formats a report as JSON. A CI service cannot mistake any line of it for a command.
 * @param maxBytes maximum size; texts and findings are shortened to reach it, if possible (default: 4 MB)
 */
export function formatJson(data: ReportData, maxBytes = MAX_JSON_BYTES): string {
  let json = "";
  for (const { maxLength, maxFindings } of JSON_LIMITS) {
    const results = data.results.map((result) => {
      const { findings = [], moreFindings = 0 } = result;
      if (findings.length <= maxFindings) return result;
      const more = moreFindings + findings.length - maxFindings;
      return { ...result, findings: findings.slice(0, maxFindings), moreFindings: more };
    });
    const reduce = (name: string, value: unknown) => {
      if (typeof value !== "string" || value.length <= maxLength) return value;
      if (name === "curl") return undefined;
      return CUT_MEMBERS.has(name) ? cutText(value, maxLength) : value;
    };
    json = safeJson({ ...data, results }, reduce);
    if (Buffer.byteLength(json) <= maxBytes) break;
  }
  return json;
}

const SCHEMA = join(DATA_FOLDER, "contract", "run-report.schema.json");
/** Longer than any report of the kit, which shortens texts to stay below {@link MAX_JSON_BYTES}. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

/** Reads a report. @throws {DataError} if the file is not the JSON form of a report */
export function readReport(file: string): ReportData {
  const fail = (reason: string): never => {
    throw new DataError(`${file}: not a report (${reason}); create one with --reporter json=FILE`);
  };
  const bytes = readRegularFile(file, MAX_READ_BYTES);
  // PowerShell writes redirected output in UTF-16. The decoder removes a byte order mark.
  const encoding = { fffe: "utf-16le", feff: "utf-16be" }[bytes.subarray(0, 2).toString("hex")] ?? "utf-8";
  const data = parseJson(new TextDecoder(encoding).decode(bytes));
  if (data === undefined) fail("it is not JSON");
  const [fault] = findSchemaFaults(data, SCHEMA);
  if (fault !== undefined) fail(escapeText(fault.message.split(";", 1)[0] ?? "", 200));
  return data as ReportData;
}

/** Returns the observed readings of an open point. A report of others can have any names of points. */
export function readingsOf({ behavior }: ReportData, point: string): readonly string[] | undefined {
  return Object.hasOwn(behavior, point) ? behavior[point] : undefined;
}

/** Returns the required rules with an outcome. */
export function requiredRules({ rules }: ReportData, outcome: RuleOutcome): readonly RuleData[] {
  return rules.filter((rule) => rule.level === "required" && rule.outcome === outcome);
}

/** Returns the IDs of the vectors that failed, ended in an error, or showed a violation. */
export function failedIds({ results }: ReportData): ReadonlySet<string> {
  const failed = results.filter(
    ({ outcome, findings = [] }) => outcome === "failed" || outcome === "error" || findings.length > 0,
  );
  return new Set(failed.map(({ id }) => id));
}

/** Returns the rules that a test shows to be violated. Incidental findings of a failed test do not count. */
export function violatedRules({ outcome, findings = [] }: ResultData): readonly string[] {
  const counted = outcome === "failed" ? findings.filter(({ incidental }) => incidental !== true) : findings;
  return [...new Set(counted.flatMap(({ rules }) => rules))];
}

/** Returns the rules that known failures violate. Other tests are allowed to show these violations. */
export function excusedRules({ results }: Pick<ReportData, "results">): ReadonlySet<string> {
  const known = results.filter((result) => result.known !== undefined);
  return new Set(known.flatMap(({ findings = [] }) => findings.flatMap(({ rules }) => rules)));
}
