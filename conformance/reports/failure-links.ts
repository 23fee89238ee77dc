import type { Failure } from "../engine/play/result.ts";

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
export function linksOf(failure: Failure, test: string, operationOf: OperationOf): readonly string[] {
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
export function askedIn(request: unknown): readonly [method: string, path: string] | undefined {
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

type Counted = readonly [answer: string, count: number];

function tallyIn(text: string): readonly Counted[] {
  return text.split(", ").flatMap((part): readonly Counted[] => {
    const [, count, answer] = COUNTED.exec(part) ?? [];
    return count === undefined || answer === undefined ? [] : [[answer, Number(count)]];
  });
}

function countOf(tally: readonly Counted[], fits: (answer: string) => boolean): number {
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
