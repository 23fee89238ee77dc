/** Reports in JSON form, the input of all printers. All texts have a maximum length and are safe to print. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { FailureDetails, ImplementationInfo, Request } from "../adapters/adapter.ts";
import { lackedNames } from "../adapters/info.ts";
import { type Operation, OUTCOMES, SERVED_CONTRACT } from "../contract/constants.ts";
import type { Contract, OpenPoint, Rule } from "../contract/contract.ts";
import type { Exchange } from "../contract/exchange.ts";
import { formatOutcomes } from "../contract/outcome.ts";
import { hintFor } from "../contract/pitfalls.ts";
import { memberNamesOf } from "../contract/response-schemas.ts";
import { DataError, readRegularFile } from "../data/data-file.ts";
import { isObject, type Json, parseJson, show, valueAt } from "../data/json.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { findSchemaFaults } from "../data/schema-check.ts";
import { cutText, escapeText, safeJson, shellLine } from "../data/text.ts";
import type { Recommendation } from "../judge/judgment.ts";
import type { Finding, Refusal, Result } from "../play/result.ts";
import { type Part, partOf } from "../run/plan.ts";
import type { Report, RunFacts } from "../run/run.ts";
import { doubtOf, observedReadings, type RuleOutcome, type Verdict } from "../run/verdict.ts";
import { fileOf } from "../suite/compiled.ts";
import { fillTemplate, referencesIn } from "../suite/template.ts";
import { isVector, type Vector } from "../suite/vector.ts";
import {
  type OutcomeData,
  type OutcomesData,
  outcomesOf,
  recommendationText,
  singleOutcomes,
  textsOf,
} from "./wording.ts";

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
  readonly recommendations?: readonly Pick<Recommendation, "rule" | "message">[];
  /** Values of the case of a vector that failed, as text. */
  readonly case?: string;
  /** For a property: the lines of a suite whose only vector is the failing case. */
  readonly counterexample?: readonly string[];
}

/** An error of the implementation. `sent` and `request` are the request that has no response. */
interface ErrorData extends Pick<FailureDetails, "thrown" | "frames" | "log"> {
  readonly sent?: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: string };
  /** {@link Finding.before} */
  readonly before?: readonly string[];
  /** The error, without the request. */
  readonly message?: string;
  /** The outcomes that the test expects as the response, as text and as values. */
  readonly expected?: string;
  readonly accepted?: readonly OutcomeData[];
}

export interface FindingData
  extends Pick<Finding, "rules" | "step" | "clockMs" | "before" | "because" | "otherTests">,
    OutcomesData {
  /** `file:line` of the step. */
  readonly place: string;
  readonly sent?: string;
  readonly operation?: Operation;
  /** Kind of the difference. Earlier reports lack it, and the values that are not texts. */
  readonly kind?: Finding["difference"]["kind"];
  readonly expected: string;
  readonly got: string;
  /** The response: status and body. */
  readonly received?: string;
  /** Paths of the wrong values in the response. */
  readonly paths?: readonly string[];
  /** Whether these values are missing. */
  readonly isMissing?: boolean;
  /** If values are missing: the names of other members, which the contract does not name, in the same objects. */
  readonly others?: readonly string[];
  /** The likely cause, and what to do. */
  readonly hint?: string;
  /** Command that sends the request to a server. Absent if one line of text cannot show the request. */
  readonly curl?: string;
  /** Whether the finding did not fail its vector, because the vector tests a different rule. */
  readonly incidental?: boolean;
}

/** Returns the part of the suite that a report is about. */
export function playedPart({ run: { selection = {} }, verdict }: ReportData): Part {
  return partOf(selection, verdict.conclusion !== "none");
}

/** Content of a report that does not come from the run. */
export interface ReportContext
  extends Pick<ReportData, "kit" | "side">,
    Pick<ReportData["run"], "command" | "date"> {
  readonly contract: Contract;
  /** Base URL of the service, if it is a server. */
  readonly url?: string;
}

/** Maximum number of findings in the data of one vector. A vector that fills a store can have thousands. */
const MAX_FINDINGS = 24;
const MAX_TEXT = 2_000;

/** Returns the report of a run as data. */
export function toData({ info, results, verdict, facts }: Report, context: ReportContext): ReportData {
  const { selection, durationMs, ended, ...counts } = facts;
  const { file, only, failed, shard } = selection;
  const selectedBy = defined({
    ...{ file, only, failed: failed?.file },
    shard: shard && `${shard.index}/${shard.count}`,
  });
  const { name, version, language } = info.implementation;
  const { kit, side, command, date } = context;
  const { conclusion, exitStatus } = verdict;
  return defined<ReportData>({
    ...{ kit, contract: SERVED_CONTRACT.version, side },
    service: defined({
      ...{ name: text(name), version: text(version), language: text(language), transport: info.transport },
      factsDigest: info.facts && factsDigest(info),
    }),
    run: defined<ReportData["run"]>({
      ...counts,
      selection: Object.keys(selectedBy).length > 0 ? selectedBy : undefined,
      durationMs: Math.round(durationMs),
      ended: ended && { ...ended, reason: text(ended.reason) },
      ...{ command: text(command), date },
    }),
    verdict: { conclusion, exitStatus },
    tests: countTests(results),
    search: searchData(results),
    rules: ruleData(verdict, results),
    results: results.map((result) => {
      const lacked = result.outcome === "skipped" ? lackedNames(info, result.vector.needs) : [];
      const doubt = text(doubtOf(result, facts.limits ?? {}));
      return defined({
        ...toResultData(result, context),
        ...{ doubt, lacks: some([...lacked, ...(result.lacks ? [result.lacks] : [])]) },
      });
    }),
    behavior: behaviorOf(results),
    openPoints: [...context.contract.openPoints.values()].map(({ id, question, reference }) => {
      return { id, question, reference };
    }),
  });
}

/** Returns an object without the members that are undefined. */
function defined<Data extends object>(
  members: {
    readonly [Name in keyof Data]: Data[Name] | undefined;
  },
): Data {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Data;
}

/** Returns a list, or undefined if it is empty. */
function some<Item>(items: readonly Item[] = []): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
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

function searchData(results: readonly Result[]): ReportData["search"] {
  const searches = results.flatMap(({ search }) => search ?? []);
  if (searches.length === 0) return undefined;
  const all = searches.flatMap((search) => search.pairs);
  const sum = (name: "requests" | "notDecided") => searches.reduce((total, one) => total + one[name], 0);
  const distinct = { responses: new Set(all.flat()).size, pairs: new Set(all.map(String)).size };
  return { requests: sum("requests"), ...distinct, notDecided: sum("notDecided") };
}

function ruleData({ rules }: Verdict, results: readonly Result[]): readonly RuleData[] {
  const isAbout = (id: string, { findings, recommendations }: Result) =>
    findings.some((one) => one.rules.includes(id)) || recommendations.some((one) => one.rule === id);
  const violations = (id: string) => results.filter((result) => isAbout(id, result)).length;
  return rules.map(({ rule: { id, level, statement, section }, outcome, reason }) =>
    defined({
      ...{ id, level, statement: statement.trim(), section, outcome },
      reason: outcome === "not-tested" ? text(reason) : undefined,
      violations: outcome === "violated" ? violations(id) : undefined,
    }),
  );
}

function behaviorOf(results: readonly Result[]): ReportData["behavior"] {
  const observed = [...observedReadings(results)].map(([point, readings]) => [point, [...readings].sort()]);
  return Object.fromEntries(observed.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

/** Returns the data of one result. Findings that failed the vector come first. */
export function toResultData(result: Result, context: ReportContext): ResultData {
  const { vector, outcome, reason, excuse, refusals, error, durationMs = 0, findings } = result;
  const { recommendations, search } = result;
  const { id, place, title, rules } = vector;
  const ordered = [...findings].sort((one, other) => Number(one.incidental) - Number(other.incidental));
  const shown = ordered.slice(0, MAX_FINDINGS);
  return defined<ResultData>({
    ...{ id, place: `${fileOf(place)}:${place.line}`, title, rules, outcome },
    case: shown.length > 0 || error !== undefined ? caseText(vector) : undefined,
    durationMs: Math.round(durationMs),
    ...{ reason: text(reason), excuse },
    refusals: refusals?.map(({ code, counts }) => ({ code, counts })),
    error: outcome === "error" && error !== undefined ? toErrorData(error, reason) : undefined,
    findings: some(shown.map((finding) => toFindingData(finding, id, context))),
    moreFindings: ordered.length - shown.length || undefined,
    recommendations: some(
      recommendations.map((one) => ({ rule: one.rule, message: text(recommendationText(one)) })),
    ),
    counterexample: search?.counterexample
      ?.trimEnd()
      .split("\n")
      .map((line) => text(line)),
  });
}

/** Maximum length of the values of a case. */
const MAX_CASE = 120;

/** Returns the values of the case of a vector that are not parts of vectors, or undefined. */
function caseText(vector: Result["vector"]): string | undefined {
  if (!isVector(vector)) return undefined;
  const values = Object.entries(vector.caseValues).flatMap(([name, value]) => {
    const shown = name === "clock" ? undefined : caseValue(value);
    return shown === undefined ? [] : `${name}: ${runsShown(show(shown, MAX_TEXT))}`;
  });
  return values.length === 0 ? undefined : text(cutText(values.join(", "), MAX_CASE));
}

/** Returns a value of a case, with its functions evaluated. Returns undefined for lists, objects, and open points. */
function caseValue(template: Json): Json | undefined {
  if (Array.isArray(template) || referencesIn(template).length > 0) return undefined;
  const value = fillTemplate(template, () => null);
  const isPlain = value === null || typeof value !== "object";
  return isPlain && !(typeof value === "string" && OPEN_POINT.test(value)) ? value : undefined;
}

const OPEN_POINT = /^[A-Z]+(?:-[A-Z]+)+$/;

function toErrorData(details: FailureDetails, reason = ""): ErrorData {
  const { thrown, frames, log, request, before, expected, cause = reason } = details;
  return defined<ErrorData>({
    ...{ thrown, message: text(thrown ?? cause), frames: some(frames), log: some(log) },
    sent: request && requestText(request),
    before: some(before?.map((one) => text(one))),
    request:
      request &&
      defined<NonNullable<ErrorData["request"]>>({
        ...{ method: text(request.method), path: text(request.path), body: text(bodyText(request)) },
      }),
    expected: expected && formatOutcomes(...expected),
    accepted: expected && singleOutcomes(expected),
  });
}

function toFindingData(finding: Finding, testId: string, { contract, url }: ReportContext): FindingData {
  const { rules, place, step, clockMs, exchange, difference, before, because, otherTests, incidental } =
    finding;
  const { expected, got } = textsOf(finding);
  const values = difference.kind === "values" ? difference.values : [];
  const missing = values.flatMap((one) => (one.got === undefined && !one.fault ? one.path : []));
  const lacksAll = values.length > 0 && missing.length === values.length;
  return defined<FindingData>({
    ...{ rules, place: `${fileOf(place)}:${place.line}`, step, clockMs },
    sent: exchange && requestText(exchange.request),
    operation: exchange?.operation,
    ...{ kind: difference.kind, expected: text(expected), got: text(got), ...outcomesOf(finding) },
    received: exchange && responseText(exchange),
    before: some(before?.map((one) => text(one))),
    because: because?.map((one) => text(one)),
    otherTests: some(otherTests?.filter((one) => one !== testId)),
    paths: some(values.map(({ path }) => text(path))),
    isMissing: lacksAll || undefined,
    others: exchange && some(renamedMembers(exchange, missing)),
    hint: hintFor(contract.pitfalls, { test: testId, rules, exchange, values }),
    curl: exchange && url !== undefined ? curlCommand(exchange, url) : undefined,
    incidental: incidental || undefined,
  });
}

/**
 * Returns the names of members that may be the missing ones under another name: those that the contract does not
 * name, if an object has no more of them than it lacks.
 */
function renamedMembers(
  { operation, status, body }: Exchange,
  missing: readonly string[],
): readonly string[] {
  const parentOf = (path: string) => path.split(".").slice(0, -1).join(".");
  return [...new Set(missing.map(parentOf))].flatMap((parent) => {
    const path = parent === "" ? [] : parent.split(".");
    const named = memberNamesOf(status === OUTCOMES.success.status ? operation : "other", ...path);
    const names = Object.keys(Object(valueAt(body, path))).filter((name) => !named.has(name));
    const lacked = missing.filter((one) => parentOf(one) === parent).length;
    return names.length > lacked ? [] : names.map((name) => text(show(name)));
  });
}

function requestText(request: Request): string {
  const { method, path, bearer, idempotencyKey, passedAs = "" } = request;
  const [, changed = "", form = ""] = /^(key|bearer)-(.*)$/.exec(passedAs) ?? [];
  const credential = (name: string, value: string | undefined) =>
    value === undefined ? undefined : `(${name} ${show(value)}${changed === name ? ` ${form}` : ""})`;
  const bearerText = credential("bearer", bearer);
  const keyText = credential("key", idempotencyKey);
  const parts = [method, path, bearerText, keyText, bodyText(request)].filter((part) => part !== undefined);
  return text(parts.join(" "));
}

/** Minimum number of equal characters that a body shows as one with their number. */
const MIN_RUN = 24;

/** Returns the text of a body. Shows bytes that are not ASCII as `\xff` if the body is not UTF-8. */
function bodyText({ body }: Request): string | undefined {
  if (body === undefined) return undefined;
  const size = Buffer.byteLength(body);
  if (typeof body === "string") {
    const shown = runsShown(body);
    return shown === body ? body : `${shown} (${size} bytes)`;
  }
  const characters = Buffer.from(body).toString("latin1");
  const shown = characters.replace(/[^\0-\x7f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  return `${shown} (${size} bytes, not UTF-8)`;
}

/** Shows runs of equal characters in a text as one with their number. */
function runsShown(value: string): string {
  return value.replace(new RegExp(`(.)\\1{${MIN_RUN - 1},}`, "gsu"), (run, one: string) => {
    return `[${show(one)} × ${run.length / one.length}]`;
  });
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

function text<Text extends string | undefined>(value: Text): Text {
  return (value === undefined ? undefined : escapeText(value, MAX_TEXT)) as Text;
}

const MAX_JSON_BYTES = 4_000_000;

/** Limits on texts and findings, from high to low. A report uses the first row that makes it short enough. */
const JSON_LIMITS: readonly (readonly [maxLength: number, maxFindings: number])[] = [
  [MAX_TEXT, MAX_FINDINGS],
  [500, 3],
  [200, 1],
  [60, 1],
];
const CUT_MEMBERS: ReadonlySet<string> = new Set("expected got sent received message path body".split(" "));

/**
 * Formats a report as JSON. A CI service cannot mistake any line of it for a command.
 * @param maxBytes maximum size; texts and findings are shortened to reach it, if possible (default: 4 MB)
 */
export function formatJson(data: ReportData, maxBytes = MAX_JSON_BYTES): string {
  let json = "";
  for (const [maxLength, maxFindings] of JSON_LIMITS) {
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

/** Returns the recommendations that the implementation does not follow. */
export function ignoredRules({ rules }: ReportData): readonly RuleData[] {
  return rules.filter(({ level, outcome }) => level === "recommendation" && outcome === "violated");
}

/** Returns the IDs of the vectors that failed, ended in an error, or showed a violation. */
export function failedIds({ results }: ReportData): ReadonlySet<string> {
  const failed = results.filter(
    ({ outcome, findings = [] }) => outcome === "failed" || outcome === "error" || findings.length > 0,
  );
  const findings = failed.flatMap((result) => result.findings ?? []);
  return new Set([...failed.map(({ id }) => id), ...findings.flatMap(({ otherTests = [] }) => otherTests)]);
}

/** Returns the rules that a test shows to be violated. Incidental findings of a failed test do not count. */
export function violatedRules({
  outcome,
  findings = [],
}: Pick<ResultData, "outcome"> & {
  readonly findings?: readonly Pick<FindingData, "rules" | "incidental">[];
}): readonly string[] {
  const counted = outcome === "failed" ? findings.filter(({ incidental }) => incidental !== true) : findings;
  return [...new Set(counted.flatMap(({ rules }) => rules))];
}

/** Returns a function that reports whether the user accepts that a rule is violated, or was not tested. */
export function acceptedRules(data: Pick<ReportData, "results">): (rule: RuleData) => boolean {
  const excused = excusedRules(data);
  // A known failure can end a vector before all rules of the vector are tested. It explains no doubt of others.
  const rulesOf = (results: readonly ResultData[]) => new Set(results.flatMap(({ rules }) => rules));
  const ofKnown = rulesOf(data.results.filter(({ known }) => known !== undefined));
  const doubted = rulesOf(data.results.filter(({ known, doubt }) => !known && doubt !== undefined));
  return ({ id, outcome, isAllowed }) =>
    outcome === "violated" ? excused.has(id) : isAllowed === true || (ofKnown.has(id) && !doubted.has(id));
}

/** Returns the rules that known failures violate. Other tests are allowed to show these violations. */
export function excusedRules({ results }: Pick<ReportData, "results">): ReadonlySet<string> {
  const known = results.filter((result) => result.known !== undefined);
  return new Set(known.flatMap(({ findings = [] }) => findings.flatMap(({ rules }) => rules)));
}
