import { afterAll, describe, test } from "vitest";
import type { DoorOptions } from "./test-doors/door-options.ts";
import { vitestTests } from "./test-doors/vitest-tests.ts";

export type { DoorOptions, OutsideTarget, Selection, Target } from "./test-doors/door-options.ts";

const register = vitestTests({ afterAll, describe, test });

/**
 * Registers a test of vitest for every vector and every property, named by its id, in a suite for each of the kit's
 * suites: one call in a test file. What the implementation lacks is skipped with the reason. A rule that is seen broken
 * only on the way to something else fails the outermost suite. For watch mode import the service and give
 * `createService`: what `module` names is loaded out of the test runner's sight.
 *
 * @param options the implementation under test, by one of `module`, `command`, `attach`, `url` (as on the command
 *   line, with the options that go with it), `service` or `createService` (with `facts` and `capabilities`); and the
 *   selection
 * @throws {UsageError} where no implementation is named, or an option is wrong
 * @throws {DataError} where a glob matches no vector and no property
 */
export function conformanceTests(options: DoorOptions): void {
  register(options);
}
