import { describe, it } from "node:test";
import { defineTests, type JudgeOptions, type ServiceTarget } from "./index.ts";

/**
 * Defines the tests of the kit with node:test, as {@link defineTests} does.
 * @throws {TypeError} if an option is unknown or wrong, or the target does not name one implementation
 * @throws {DataError} if a glob matches no test
 */
export function conformanceTests(service: ServiceTarget, options: JudgeOptions = {}): void {
  defineTests({ describe, it }, service, options);
}
