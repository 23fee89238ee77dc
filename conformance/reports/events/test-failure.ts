import type { Failure, Result } from "../../engine/play/result.ts";
import type { RuleBook } from "../../engine/rule-book.ts";
import { plainLine } from "../../plain-text.ts";
import { errorText } from "../errors/error-text.ts";
import { failureText } from "../failure-text.ts";
import type { Invocation } from "../reproduction-command.ts";
import type { Place } from "./test-event.ts";

/** Type of failure, as reporters show it, of a result that an adapter's fault left without a judgement. */
export const ADAPTER_FAULT = "adapterFault";
/** Lines of one result's failures; a service can make any number of differences. */
const MOST_LINES = 120;
const LINE = 200;

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
    const line = `the adapter broke: ${plainLine(result.reason ?? "no reason given", LINE)}`;
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
export function testFailure(result: Result, place: Place, contract: RuleBook, invocation: Invocation): Error {
  const { type, line, text } = toldFailure(result, contract, invocation);
  if (type !== ADAPTER_FAULT) return runnerError(line, type, ownError("RuleBroken", text, result, place));
  // TAP's writer puts a text of several lines into a block, where every character stands for itself; of one line it
  // makes a literal of JavaScript, which is not always one of YAML.
  return runnerError(`${line}\n`, type, ownError("AdapterFault", `${text}\n`, result, place));
}

/** The error of a suite, some of whose tests failed. */
export function suiteFailure(failed: number): Error {
  const message = `${failed} subtest${failed === 1 ? "" : "s"} failed`;
  return runnerError(message, "subtestsFailed", message);
}

function oneLine({ rules, differences, expected, got }: Failure): string {
  const [difference] = differences;
  const what =
    difference === undefined
      ? `expected ${expected}, got ${got}`
      : `${difference.path}: ${difference.got}, not ${difference.expected}`;
  return plainLine(`${rules.slice(0, 3).join(", ")}: ${what}`, LINE);
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
