import { describe, it } from "node:test";
import { defineTests } from "./api/define-tests.ts";
import type { TestsOptions } from "./api/tests-options.ts";

export type { Selection, TestsOptions, TestsTarget } from "./api/tests-options.ts";

/**
 * Defines a test of node:test for every vector and every property: {@link defineTests} with the functions of node:test.
 *
 * @param options the implementation under test, and the selection
 * @throws {UsageError} where no implementation is named, or an option is wrong
 * @throws {DataError} where a glob matches no vector and no property
 */
export function conformanceTests(options: TestsOptions): void {
  defineTests({ describe, it }, options, "conformanceTests");
}
