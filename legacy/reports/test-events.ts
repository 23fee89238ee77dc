/** A report as the events of node:test's runner. */

import { resolve } from "node:path";
import type { Failure, Result } from "../engine/play/result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import type { SourcePlace } from "../engine/vectors/vector.ts";
import { plainLine } from "../plain-text.ts";
import type { Counts, Place, TestEvent } from "./event-report.ts";
import { errorText, failureText } from "./failure-text.ts";
import type { Invocation } from "./reproduction-command.ts";
import { counts, type ReportView, waiver } from "./view.ts";
import { runSeed, slowLines, timeLines } from "./words.ts";

/** Characters of a reason or a name; what is longer is cut. */
const LINE = 300;

/**
 * A report as the events that node:test's runner would have emitted, so that its reporters, and every package that is
 * one, can show it: a suite for each file of vectors and for the properties, in it a test for each result. All text is
 * harmless as it stands: no control characters, one line, of limited length.
 *
 * Outcomes: passed and failed are themselves, but a failure that does not count is one "to do", which no reader takes
 * for a failure of the run; skipped is a test skipped with its reason; an error of the adapter is a failure of another
 * type.
 */
export function* testEvents(view: ReportView): Generator<TestEvent> {
  const { report, contract, invocation } = view;
  const suites = bySuite(report.results);
  let ids = 0;
  let suiteNumber = 0;
  for (const [name, results] of suites) {
    const suiteId = ++ids;
    const suitePlace = { ...placeOf(results[0]?.source ?? { file: name, line: 1 }), line: 1 };
    const suite = { name, nesting: 0, testId: suiteId, parentId: 0, tags: [], ...suitePlace };
    yield { type: "test:enqueue", data: { ...suite, type: "suite" } };
    yield { type: "test:dequeue", data: { ...suite, type: "suite" } };
    yield { type: "test:start", data: suite };
    for (const [index, result] of results.entries()) {
      yield* test(result, { suite: name, suiteId, testId: ++ids, number: index + 1 }, contract, invocation);
    }
    yield { type: "test:plan", data: { nesting: 1, count: results.length, ...suitePlace } };
    const failed = results.filter(counts).length;
    const error = failed === 0 ? {} : { error: suiteFailure(failed) };
    const ended = {
      ...suite,
      testNumber: ++suiteNumber,
      details: { duration_ms: 0, type: "suite", ...error },
    } as const;
    yield { type: "test:complete", data: { ...ended, details: { ...ended.details, passed: failed === 0 } } };
    yield { type: failed === 0 ? "test:pass" : "test:fail", data: ended };
  }
  yield { type: "test:plan", data: { nesting: 0, count: suites.size } };
  yield* closing(view, countsOf(report.results, suites.size));
}

interface Position {
  readonly suite: string;
  readonly suiteId: number;
  readonly testId: number;
  readonly number: number;
}

function* test(
  result: Result,
  { suite, suiteId, testId, number }: Position,
  contract: RuleBook,
  invocation: Invocation,
): Generator<TestEvent> {
  // Where it failed, so that an annotation falls on that line; else where it begins. A property stands in no file, and
  // is its own place, since reporters count on there being one.
  const place = placeOf(result.failures[0]?.place ?? result.source ?? { file: result.id, line: 1 });
  const common = {
    name: plainLine(result.id, LINE),
    nesting: 1,
    testId,
    parentId: suiteId,
    tags: [],
    ...place,
  };
  yield { type: "test:enqueue", data: { ...common, type: "test" } };
  yield { type: "test:dequeue", data: { ...common, type: "test" } };
  const failed = result.outcome === "failed" || result.outcome === "error";
  const todo = waiver(result);
  const details = {
    duration_ms: 0,
    type: "test",
    ...(failed ? { error: testFailure(result, place, contract, invocation) } : {}),
  } as const;
  const reason = plainLine(result.reason ?? "no reason given", LINE);
  const ended = {
    ...common,
    testNumber: number,
    details,
    classname: suite,
    ...(result.outcome === "skipped" ? { skip: reason } : {}),
    ...(todo === undefined ? {} : { todo }),
  };
  yield { type: "test:complete", data: { ...ended, details: { ...details, passed: !failed } } };
  yield { type: "test:start", data: common };
  yield { type: failed ? "test:fail" : "test:pass", data: ended };
}

/** What the whole run came to: the kit's own lines, then those that node:test ends with. */
function* closing(view: ReportView, totals: Counts): Generator<TestEvent> {
  for (const message of aboutTheRun(view)) {
    yield { type: "test:diagnostic", data: { nesting: 0, message, level: "info" } };
  }
  for (const { text, fails } of view.policies) {
    yield { type: "test:diagnostic", data: { nesting: 0, message: text, level: fails ? "error" : "info" } };
  }
  for (const [name, value] of [
    ["tests", totals.tests],
    ["suites", totals.suites],
    ["pass", totals.passed],
    ["fail", totals.failed],
    ["cancelled", totals.cancelled],
    ["skipped", totals.skipped],
    ["todo", totals.todo],
    ["duration_ms", view.report.durationMs],
  ] as const) {
    yield { type: "test:diagnostic", data: { nesting: 0, message: `${name} ${value}`, level: "info" } };
  }
  const success = view.report.exitStatus === 0;
  yield {
    type: "test:summary",
    data: { success, counts: totals, duration_ms: view.report.durationMs, file: undefined },
  };
}

/** What the tests alone do not say: a run can be undecided though none failed. */
export function aboutTheRun({ report, verdict, untried, executed }: ReportView): readonly string[] {
  const { kit, implementation, suite, selection, advice } = report;
  const ids = untried.map(({ id }) => id);
  const verdictLine = `verdict ${report.verdict}${ids.length === 0 ? "" : `, ${ids.length} required rules untried: ${ids.join(" ")}`}`;
  return [
    `kit ${kit.name} ${kit.version}, contract ${report.contract}, ${runSeed(report)}`,
    `implementation ${implementation.name} ${implementation.version}, ${report.adapter}`,
    `suite ${suite.version} ${suite.digest.slice(0, 12)}, ${executed}`,
    selection === undefined || report.verdict === "does-not-conform" ? verdictLine : verdict,
    ...[...slowLines(report.slow), ...timeLines(report)].map((line) => line.trim()),
    ...advice.map(({ rule, message }) => `advice ${rule}: ${message}`),
  ].map((line) => plainLine(line, LINE));
}

function countsOf(results: readonly Result[], suites: number): Counts {
  const count = (select: (result: Result) => boolean) => results.filter(select).length;
  return {
    tests: results.length,
    suites,
    topLevel: suites,
    passed: count(({ outcome }) => outcome === "passed"),
    failed: count(counts),
    cancelled: 0,
    skipped: count(({ outcome }) => outcome === "skipped"),
    todo: count((result) => waiver(result) !== undefined),
  };
}

/** By the first part of their ids, in the order in which they first come. */
export function bySuite(results: readonly Result[]): ReadonlyMap<string, readonly Result[]> {
  const suites = new Map<string, Result[]>();
  for (const result of results) {
    const name = plainLine(result.id.split("/")[0] ?? result.id, LINE);
    const members = suites.get(name);
    if (members === undefined) suites.set(name, [result]);
    else members.push(result);
  }
  return suites;
}

function placeOf({ file, line }: SourcePlace): Place {
  const path = resolve(file);
  return { file: path, entryFile: path, line, column: 1 };
}

/** Type of failure, as reporters show it, of a result that an adapter's fault left without a judgement. */
export const ADAPTER_FAULT = "adapterFault";
/** Lines of one result's failures; a service can make any number of differences. */
const MOST_LINES = 120;
const MOST_MESSAGE = 200;

/** A failure as reporters tell it: what kind it is, one line that says most, and the whole story. */
export interface ToldFailure {
  readonly type: "testCodeFailure" | typeof ADAPTER_FAULT;
  readonly line: string;
  readonly text: string;
}

/** What there is to tell of a result that failed, or of which an adapter's fault left nothing. */
export function toldFailure(result: Result, contract: RuleBook, invocation: Invocation): ToldFailure {
  const { outcome, failures } = result;
  const [first, ...others] = failures;
  if (outcome === "error" || first === undefined) {
    const line = `the adapter broke: ${plainLine(result.reason ?? "no reason given", MOST_MESSAGE)}`;
    const [, ...told] = errorText(result, invocation);
    return { type: ADAPTER_FAULT, line, text: [line, ...told].join("\n") };
  }
  const text = failures.flatMap((failure) =>
    failureText(result, failure, contract, invocation).join("\n").split("\n"),
  );
  const shown = text.length > MOST_LINES ? [...text.slice(0, MOST_LINES), "…"] : text;
  const line = `${oneLine(first)}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
  return { type: "testCodeFailure", line, text: [line, ...shown].join("\n") };
}

/**
 * A failed test's error in the shape that node:test gives its reporters: an `ERR_TEST_FAILURE`, its message one line,
 * around the error of the test itself, which tells the whole story and has the vector's place as its only frame.
 * @param result one that failed, or of which an adapter's fault left nothing
 */
function testFailure(result: Result, place: Place, contract: RuleBook, invocation: Invocation): Error {
  const { type, line, text } = toldFailure(result, contract, invocation);
  if (type !== ADAPTER_FAULT) return runnerError(line, type, ownError("RuleBroken", text, result, place));
  // TAP's writer puts a text of several lines into a block, where every character stands for itself; of one line it
  // makes a literal of JavaScript, which is not always one of YAML.
  return runnerError(`${line}\n`, type, ownError("AdapterFault", `${text}\n`, result, place));
}

/** The error of a suite, some of whose tests failed. */
function suiteFailure(failed: number): Error {
  const message = `${failed} subtest${failed === 1 ? "" : "s"} failed`;
  return runnerError(message, "subtestsFailed", message);
}

function oneLine({ rules, differences, expected, got }: Failure): string {
  const [difference] = differences;
  const what =
    difference === undefined
      ? `expected ${expected}, got ${got}`
      : `${difference.path}: ${difference.got}, not ${difference.expected}`;
  return plainLine(`${rules.slice(0, 3).join(", ")}: ${what}`, MOST_MESSAGE);
}

function ownError(name: string, message: string, { id, kind }: Result, { file, line, column }: Place): Error {
  const error = new Error(message);
  error.name = name;
  const frame = kind === "property" ? id : `${id} (${file}:${line}:${column})`;
  error.stack = `${name}: ${message.trimEnd()}\n    at ${frame}`;
  return error;
}

function runnerError(message: string, failureType: string, cause: unknown): Error {
  const error = new Error(message, { cause });
  error.stack = `Error [ERR_TEST_FAILURE]: ${message.trimEnd()}`;
  return Object.assign(error, { code: "ERR_TEST_FAILURE", failureType });
}
