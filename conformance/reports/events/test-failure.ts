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

/**
 * A failed test's error in the shape that node:test gives its reporters: an `ERR_TEST_FAILURE`, its message one line,
 * around the error of the test itself, which tells the whole story and has the vector's place as its only frame.
 * @param result one that failed, or of which an adapter's fault left nothing
 */
export function testFailure(result: Result, place: Place, contract: RuleBook, invocation: Invocation): Error {
  const { outcome, failures } = result;
  const [first, ...others] = failures;
  if (outcome === "error" || first === undefined) {
    const line = `the adapter broke: ${plainLine(result.reason ?? "no reason given", LINE)}`;
    // TAP's writer puts a text of several lines into a block, where every character stands for itself; of one line it
    // makes a literal of JavaScript, which is not always one of YAML.
    const [, ...told] = errorText(result, invocation);
    const cause = ownError("AdapterFault", `${[line, ...told].join("\n")}\n`, result, place);
    return runnerError(`${line}\n`, ADAPTER_FAULT, cause);
  }
  const text = failures.flatMap((failure) =>
    failureText(result, failure, contract, invocation).join("\n").split("\n"),
  );
  const shown = text.length > MOST_LINES ? [...text.slice(0, MOST_LINES), "…"] : text;
  const line = `${oneLine(first)}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
  const cause = ownError("RuleBroken", [line, ...shown].join("\n"), result, place);
  return runnerError(line, "testCodeFailure", cause);
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
