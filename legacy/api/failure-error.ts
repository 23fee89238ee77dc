import { AssertionError } from "node:assert";
import { resolve } from "node:path";
import type { Result } from "../engine/play/result.ts";
import type { RuleBook } from "../engine/rule-book.ts";
import { plain } from "../plain-text.ts";
import { failureText } from "../reports/failure-text.ts";

/**
 * Results that failed, as one error that test runners show: its message says all, its stack is the first vector's
 * place.
 * @param again how just one is run again, in words
 */
export function failureError(
  results: readonly Result[],
  contract: RuleBook,
  again: (id: string) => string,
): AssertionError {
  const texts = results.flatMap((result) => {
    const reproduction = again(result.id);
    return result.failures.map((failure) => failureText(result, failure, contract, reproduction).join("\n"));
  });
  const id = results[0]?.id ?? "no result";
  const failure = results[0]?.failures[0];
  const error = new AssertionError({
    message: texts.join("\n\n"),
    expected: failure?.expected,
    actual: plain(failure?.got ?? ""),
    operator: id,
  });
  const { file, line } = failure?.place ?? { file: "unknown", line: 1 };
  error.stack = `${error.name}: ${error.message}\n    at ${id} (${resolve(file)}:${line}:1)`;
  return error;
}
