import { CHANCE } from "../cli/chance.ts";
import { drawn, searchOf } from "../cli/judge-run.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { SEARCH_IDS } from "../contract/search-ids.ts";
import type { Result } from "../engine/play/result.ts";
import { choose } from "../engine/run/plan.ts";
import { plain } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { failureError } from "./failure-error.ts";
import { beginJudging } from "./judge.ts";
import { type TestsOptions, testsAsked } from "./tests-options.ts";

/** Functions of a test runner, as node:test, vitest, jest and mocha have them. */
export interface TestFunctions {
  describe(name: string, define: () => void): unknown;
  it(name: string, run: (this: unknown, ...given: unknown[]) => Promise<void>, timeoutMs: number): unknown;
}

/** What a runner gives to a running test, as an argument or as `this`: jest gives nothing. */
interface RunningTest {
  skip?(reason: string): void;
  timeout?(ms: number): void;
}

/** Time limit of a test, in ms: the longest timer. The kit has limits of its own. */
const UNLIMITED_MS = 2 ** 31 - 1;

/**
 * Defines a test for every vector and every property, named by its id, in a suite for each of the kit's suites: one call in a
 * test file. The first test that runs starts one run of the kit, and each test waits for its own result. What the
 * implementation lacks is skipped with the reason; jest cannot skip a running test, so there the reason is a warning. A rule
 * that only a step on the way to something else violates fails the last test.
 *
 * @param functions `describe` and `it` of the test runner
 * @param options the implementation, by one of `module`, `command`, `attach`, `url` (with the options that go with it),
 *   `service` or `createService` (with `facts` and `capabilities`); and the selection. The filter of a test runner only chooses
 *   what is shown: `only` chooses what is judged
 * @param caller name at the start of error messages
 * @throws {UsageError} where no implementation is named, or an option is wrong
 * @throws {DataError} where a glob matches no vector and no property
 */
export function defineTests(functions: TestFunctions, options: TestsOptions, caller = "defineTests"): void {
  const asked = testsAsked(options, caller);
  const { seed } = drawn(asked.options, CHANCE);
  const { contract, suites } = loadKitData();
  const exhaustive = searchOf(asked.options).exhaustive === undefined ? [] : [SEARCH_IDS.exhaustive];
  const searches = asked.options.runs === 0 ? exhaustive : [...SEARCH_IDS.properties, ...exhaustive];
  const { vectors, properties } = choose(suites.vectors, searches, asked.options.only);
  const tests = [...vectors, ...[...properties].map((id) => ({ id, suite: "property" }))];
  const again = (id: string) => `with the option only: [${JSON.stringify(id)}]`;

  const results = new Map<string, Result>();
  let report: GatedReport | undefined;
  let fault: unknown;
  // A generator begins when it is first asked: with the first test that runs.
  const run = (async function* () {
    const judging = beginJudging({ ...asked, options: { ...asked.options, seed } });
    yield* judging;
    return await judging.report;
  })();
  /** Reads results, until that of a vector or property has come. */
  const readUntil = async (id?: string) => {
    while (report === undefined && (id === undefined || !results.has(id))) {
      if (fault !== undefined) throw fault;
      const { done, value } = await run.next().catch((error: unknown) => {
        fault = error;
        throw error;
      });
      if (done) report ??= value;
      else results.set(value.id, value);
    }
  };
  const define = (name: string, check: (skip: (reason: string) => void) => Promise<void>) => {
    async function play(this: unknown, ...[given]: unknown[]) {
      const running = (given ?? this ?? {}) as RunningTest;
      running.timeout?.(0); // mocha's limit
      // biome-ignore lint/suspicious/noConsole: a runner that cannot skip a running test shows what is written here
      const skip = (why: string) => (running.skip ? running.skip(why) : console.warn(`${name}: ${why}`));
      if (fault !== undefined && running.skip) skip("not run: the implementation could not be run");
      else await check(skip);
    }
    functions.it(name, play, UNLIMITED_MS);
  };
  const checkReport = async () => {
    await readUntil();
    const more = report?.results.filter(({ id, outcome }) => outcome !== results.get(id)?.outcome) ?? [];
    const failed = more.filter(({ outcome }) => outcome === "failed");
    if (failed.length > 0) throw failureError(failed, contract, again);
  };
  functions.describe(asked.options.seed === "random" ? `${contract.id}, seed ${seed}` : contract.id, () => {
    for (const suite of new Set(tests.map((test) => test.suite)))
      functions.describe(suite, () => {
        for (const { id } of tests.filter((test) => test.suite === suite))
          define(id, async (skip) => {
            await readUntil(id);
            const result = results.get(id);
            if (result?.outcome === "failed") throw failureError([result], contract, again);
            const reason = plain(result?.reason ?? "not tried: so few cases leave none for it");
            if (result?.outcome === "error") throw new Error(reason);
            if (result?.outcome !== "passed") skip(reason);
          });
      });
    // In a suite of its own, since mocha and jest run the tests of a suite before the suites in it.
    functions.describe("all", () => define("rules that no test above is about", checkReport));
  });
}
