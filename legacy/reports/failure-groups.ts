import type { Breakage, Failure, Result } from "../engine/play/result.ts";
import { type Failed, rankFailures } from "../engine/run/rank-failures.ts";

/** Failures of one kind: the first, and those like it. */
export type FailureGroup = readonly [Failed, ...Failed[]];

/** Ids of the results that the failures are of, each once; the first is that of the first failure. */
export function testsOf(group: FailureGroup): readonly string[] {
  return [...new Set(group.map(({ result }) => result.id))];
}

/** The rules that the failures break, the one that most tests name first. */
export function rulesOf(group: readonly Failed[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { failure } of group) {
    for (const id of failure.rules) times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** What was asked, as method and path, each once; the first is that of the first failure. */
export function requestsInGroup(group: FailureGroup): readonly string[] {
  const asked = group.flatMap(({ failure }) => askedIn(failure.request)?.join(" ") ?? []);
  return [...new Set(asked)];
}

/**
 * Failures in their order, those of one cause together: about the same operation, or about requests that are none, they
 * got the same wrong answer where the same was wanted, however much else of it varies.
 */
export function groupFailures(results: readonly Result[], operationOf: OperationOf): readonly FailureGroup[] {
  const all = rankFailures(results);
  const groups: [Failed, ...Failed[]][] = [];
  /** Under each link the place of a group, and for each group that was put into an earlier one, where that is. */
  const linked = new Map<string, number>();
  const into: number[] = [];
  const found = (start: number): number => {
    let place = start;
    for (let next = into[place]; next !== undefined && next !== place; next = into[place]) place = next;
    return place;
  };
  const placed = all.map((failed) => {
    const links = linksOf(failed.failure, failed.result.id, operationOf);
    const known = links.flatMap((link) => linked.get(link) ?? []).map(found);
    const place = known.length === 0 ? into.length : Math.min(...known);
    into[place] ??= place;
    for (const other of known) into[other] = place;
    for (const link of links) linked.set(link, place);
    return place;
  });
  const byPlace = new Map<number, [Failed, ...Failed[]]>();
  for (const [index, failed] of all.entries()) {
    const place = found(placed[index] ?? 0);
    const group = byPlace.get(place);
    if (group !== undefined) group.push(failed);
    else {
      const made: [Failed, ...Failed[]] = [failed];
      byPlace.set(place, made);
      groups.push(made);
    }
  }
  return groups;
}

/** Which operation of the contract a request is; all that are none of its operations are one. */
export type OperationOf = (method: string, path: string) => string;

/** Characters of a text that tell what it is about; a service can make any of them long. */
const TELLING = 300;

/** An answer as failures tell it, its codes apart: `409 CODE`, `400 A | B`. */
const ANSWER = /^(\d{3})(?: (.+))?$/;
const STATUS = /^\d{3}(?![\d.]| ×)/;
/** How often an answer was wanted or came, among several in flight: `5 × 200`. */
const COUNTED = /^(\d+) × (.+)$/;

/** What is another in each test: texts, moments, names of keys and hashes, ids, large numbers. */
const VARYING = [
  /"(?:[^"\\]|\\.)*"?/g,
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /\b(?=[\w+/-]*\d)[\w+/-]{20,}=*/g,
  // The vector's own name for an answer.
  /\b[A-Za-z]\w*\.(?=[A-Za-z])/g,
  /\d[\d.]*/g,
];

/**
 * By what failures are seen to be of one cause: two that have one of these in common are alike. They are about the same
 * operation, what was wanted of it overlaps, and what came is the same.
 * @param test id of the result that the failure is of
 */
function linksOf(failure: Failure, test: string, operationOf: OperationOf): readonly string[] {
  const { request, step } = failure;
  const [expected, got] = [failure.expected.slice(0, TELLING), failure.got.slice(0, TELLING)];
  const differences = failure.differences.map((difference) => ({
    path: difference.path.slice(0, TELLING),
    got: difference.got.slice(0, TELLING),
  }));
  const operation = operationIn(request, operationOf);
  const link = (...parts: readonly string[]) => JSON.stringify([operation, ...parts]);
  const status = differences.flatMap(({ path, got: seen }) =>
    path === "status" ? (STATUS.exec(seen) ?? []) : [],
  )[0];
  // The status of one answer may be wrong for several reasons at once.
  const here = status === undefined ? [] : [link("status of", test, step, status)];
  const answered = answerLinks(expected, got);
  if (answered !== undefined) return [...answered.map((parts) => link("answer", ...parts)), ...here];
  // Where nothing was asked, a path begins with the vector's own name for an answer.
  const paths = differences.map(({ path }) =>
    (request === undefined ? path.replace(/^[^.]*\.?/, "") : path).replaceAll(/\d+/g, "N"),
  );
  const held = paths.length === 0 ? sketch(got) : differences.map((difference) => kindOf(difference.got));
  return [link("content", ...paths, sketch(expected), ...held, status ?? ""), ...here];
}

function operationIn(request: unknown, operationOf: OperationOf): string {
  const asked = askedIn(request);
  return asked === undefined ? "" : operationOf(...asked);
}

/** Method and path of a request as a failure has it; undefined where nothing was asked. */
function askedIn(request: unknown): readonly [method: string, path: string] | undefined {
  if (typeof request !== "object" || request === null) return undefined;
  const { method, path } = request as { readonly method?: unknown; readonly path?: unknown };
  return [String(method), String(path)];
}

/**
 * Where a failure is about which answer came: pairs of what came and what was wanted, one for each answer that was
 * accepted. Where a request was served that had to be refused, only the first of these: each check that is missing is a
 * cause of its own.
 */
function answerLinks(expected: string, got: string): readonly (readonly string[])[] | undefined {
  if (got.includes(" × ")) {
    const { missing, surplus } = uneven(expected, got);
    return answerLinks(missing, surplus);
  }
  const wanted = answersIn(expected);
  if (!ANSWER.test(got) || wanted.length === 0) return undefined;
  const served = got.startsWith("2");
  return (served ? wanted.filter((answer) => !answer.startsWith("2")).slice(0, 1) : wanted).map((answer) => [
    got,
    answer,
  ]);
}

/** `200, or 400 A | B` as its answers, each with one code. */
function answersIn(text: string): readonly string[] {
  return text.split(", or ").flatMap((part) => {
    const [, status, codes] = ANSWER.exec(part) ?? [];
    if (status === undefined) return [];
    return codes === undefined ? [status] : codes.split(" | ").map((code) => `${status} ${code}`);
  });
}

/** Of answers that were counted, one kind that was missed and one that came in its place. */
function uneven(expected: string, got: string): { readonly missing: string; readonly surplus: string } {
  const [first = ""] = expected.split("; or ");
  const wanted = tallyIn(first);
  const came = tallyIn(got);
  const fits = (some: string, other: string) =>
    answersIn(some).some((answer) => answersIn(other).includes(answer));
  const missing = wanted.find(([answer, count]) => countOf(came, (one) => fits(answer, one)) < count);
  const surplus =
    came.find(([answer]) => !wanted.some(([one]) => fits(one, answer))) ??
    came.find(([answer, count]) => countOf(wanted, (one) => fits(one, answer)) < count);
  return { missing: missing?.[0] ?? first, surplus: surplus?.[0] ?? "" };
}

type Tally = readonly [answer: string, count: number];

function tallyIn(text: string): readonly Tally[] {
  return text.split(", ").flatMap((part): readonly Tally[] => {
    const [, count, answer] = COUNTED.exec(part) ?? [];
    return count === undefined || answer === undefined ? [] : [[answer, Number(count)]];
  });
}

function countOf(tally: readonly Tally[], fits: (answer: string) => boolean): number {
  return tally.reduce((sum, [answer, count]) => sum + (fits(answer) ? count : 0), 0);
}

/** A text without what is another in each test. */
function sketch(text: string): string {
  return VARYING.reduce((short, varying) => short.replaceAll(varying, "…"), text).replaceAll(
    /(?:[\s,[\]]*…[\s,[\]]*)+/g,
    "…",
  );
}

/** What kind of value a member held. */
function kindOf(got: string): string {
  const first = got.slice(0, 1);
  if (first === '"') return "text";
  if (first === "[" || first === "{") return "values";
  return /^-?\d/.test(got) ? "number" : sketch(got);
}

/** Results that were not judged for one reason. */
export interface ReasonGroup {
  /** The reason; where they differ in how long something takes, from the shortest to the longest. */
  readonly reason: string;
  readonly results: readonly [Result, ...Result[]];
}

/** How long something takes, in a reason: `31.5 s`. */
const DURATION = /\d+(?:\.\d+)?(?= m?s\b)/g;

/** Results by why they were not judged, the reason that most share first; what differs in durations alone is one. */
export function groupByReason(results: readonly Result[]): readonly ReasonGroup[] {
  const groups = new Map<string, [Result, ...Result[]]>();
  for (const result of results) {
    const shape = reasonOf(result).replaceAll(DURATION, "N");
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [result]);
    else group.push(result);
  }
  return [...groups.values()]
    .map((group) => ({ reason: commonReason(group), results: group }))
    .sort((a, b) => b.results.length - a.results.length);
}

function reasonOf({ reason }: Result): string {
  return reason ?? "no reason given";
}

/** One reason for all, each duration that is not the same in them a range. */
function commonReason(results: readonly [Result, ...Result[]]): string {
  const durations = results.map((result) => reasonOf(result).match(DURATION) ?? []);
  let index = 0;
  return reasonOf(results[0]).replaceAll(DURATION, (own) => {
    const sorted = durations.map((found) => found[index] ?? own).sort((a, b) => Number(a) - Number(b));
    index += 1;
    const [least = own, most = own] = [sorted[0], sorted.at(-1)];
    return Number(least) === Number(most) ? own : `${least} to ${most}`;
  });
}

/** How a system says that nobody listens. */
const REFUSED = /\bECONNREFUSED\b/;

/** Results that one cause left without a judgement: the first, and those like it. */
export type ErrorGroup = readonly [Result, ...Result[]];

/** Errors in their order, those of one cause together. */
export function groupErrors(results: readonly Result[]): readonly ErrorGroup[] {
  const groups = new Map<string, [Result, ...Result[]]>();
  for (const result of results) {
    if (result.outcome !== "error") continue;
    const key = causeOf(result);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else if (tellsMore(result, group[0])) group.unshift(result);
    else group.push(result);
  }
  return [...groups.values()];
}

/** A service that is gone answers no request, whichever it is. */
function causeOf({ reason, breakage }: Result): string {
  const { kind, alive } = breakage ?? {};
  return JSON.stringify(isGone(breakage) ? ["gone"] : [reason, kind, alive]);
}

/** Of a service that is gone, the request in which it went says more than those that found nobody. */
function tellsMore({ breakage, reason = "" }: Result, first: Result): boolean {
  return isGone(breakage) && REFUSED.test(first.reason ?? "") && !REFUSED.test(reason);
}

function isGone(breakage: Breakage | undefined): boolean {
  return breakage?.kind === "lost" && breakage.alive === false;
}
