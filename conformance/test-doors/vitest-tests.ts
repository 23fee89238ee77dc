import type { DoorOptions } from "./door-options.ts";
import { registerTests, type TestRunner } from "./register-tests.ts";

/** What vitest takes besides a name and a function. */
interface Options {
  readonly concurrent?: boolean;
  /** In ms; 0 for none. */
  readonly timeout?: number;
}

/** As much of vitest as the kit's tests use, of the copy that runs the test file: there may be others. */
export interface Vitest {
  readonly describe: (name: string, options: Options, define: () => void) => void;
  readonly test: (
    name: string,
    options: Options,
    run: (context: { skip(note?: string): never }) => Promise<void>,
  ) => void;
  readonly afterAll: (run: () => Promise<void>, timeout?: number) => void;
}

/** The kit has limits of its own: what waits for a clock may take longer than any runner's. */
const UNLIMITED = 0;

/** `conformanceTests` for vitest. */
export function vitestTests({ describe, test, afterAll }: Vitest): (options: DoorOptions) => void {
  const runner: TestRunner = {
    suite: (name, together, define) => describe(name, { concurrent: together, timeout: UNLIMITED }, define),
    test: (name, run) =>
      test(name, { timeout: UNLIMITED }, (context) => run((reason) => context.skip(reason))),
    after: (run) => afterAll(run, UNLIMITED),
    again: (id) => `run this file with -t '${id}$'`,
  };
  return (options) => registerTests(runner, options);
}
