import { after, describe, it } from "node:test";
import type { DoorOptions } from "./test-doors/door-options.ts";
import { registerTests, type TestRunner } from "./test-doors/register-tests.ts";

export type { DoorOptions, OutsideTarget, Selection, Target } from "./test-doors/door-options.ts";

const NODE_TEST: TestRunner = {
  suite: (name, together, define) => {
    describe(name, { concurrency: together ? Number.POSITIVE_INFINITY : 1 }, define);
  },
  test: (name, run) => {
    it(name, (context) => run((reason) => context.skip(reason)));
  },
  after,
  again: (id) => `run this file with --test-name-pattern='${id}$'`,
};

/**
 * Registers a test of node:test for every vector and every property, named by its id, in a suite for each of the kit's
 * suites: one call in a test file. What the implementation lacks is skipped with the reason. A rule that is seen broken
 * only on the way to something else fails the outermost suite. For watch mode import the service and give
 * `createService`: what `module` names is loaded out of the test runner's sight.
 *
 * @param options the implementation under test, by one of `module`, `command`, `url` (as on the command
 *   line, with the options that go with it), `service` or `createService` (with `facts` and `capabilities`); and the
 *   selection
 * @throws {UsageError} where no implementation is named, or an option is wrong
 * @throws {DataError} where a glob matches no vector and no property
 */
export function conformanceTests(options: DoorOptions): void {
  registerTests(NODE_TEST, options);
}
