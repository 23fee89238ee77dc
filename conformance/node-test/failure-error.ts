import { AssertionError } from "node:assert";
import { resolve } from "node:path";
import type { Contract } from "../contract/contract.ts";
import type { Result } from "../play/result.ts";
import { failureText } from "../report/failure-text.ts";
import { plain } from "../report/plain-text.ts";

/** A result that failed, as an error that test runners show: its message says all, its stack is the vector's place. */
export function failureError(result: Result, contract: Contract): AssertionError {
  const again = `run this file with --test-name-pattern='${result.id}$'`;
  const texts = result.failures.map((failure) => failureText(result, failure, contract, again).join("\n"));
  const [failure] = result.failures;
  const error = new AssertionError({
    message: texts.join("\n\n"),
    expected: failure?.expected,
    actual: plain(failure?.got ?? ""),
    operator: result.id,
  });
  const { file, line } = failure?.place ?? { file: "unknown", line: 1 };
  error.stack = `${error.name}: ${error.message}\n    at ${result.id} (${resolve(file)}:${line}:1)`;
  return error;
}
