import { CHANCE } from "../cli/chance.ts";
import { drawn, searchOf } from "../cli/judge-run.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { SEARCH_IDS } from "../contract/search-ids.ts";
import type { Result } from "../engine/play/result.ts";
import { choose } from "../engine/run/plan.ts";
import { plain } from "../plain-text.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { failureError } from "./failure-error.ts";
import { beginJudging, type Judging } from "./judge.ts";
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
const SEARCHED = "property";
/** Name of the test that fails for what only the finished report shows. */
const OTHER_RULES = "rules that no test above is about";

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
export function defineTests(
  { describe, it }: TestFunctions,
  options: TestsOptions,
  caller = "defineTests",
): void {
  const asked = testsAsked(options, caller);
  const { seed } = drawn(asked.options, CHANCE);
  const { contract, suites } = loadKitData();
  const { runs, only } = asked.options;
  const exhaustive = searchOf(asked.options).exhaustive === undefined ? [] : [SEARCH_IDS.exhaustive];
  const searches = [...(runs === 0 ? [] : SEARCH_IDS.properties), ...exhaustive];
  const { vectors, properties } = choose(suites.vectors, searches, only);
  const tests = [...vectors, ...[...properties].map((id) => ({ id, suite: SEARCHED }))];
  const run = new LazyRun(() => beginJudging({ ...asked, options: { ...asked.options, seed } }));
  const fail = (results: readonly Result[]) => {
    throw failureError(results, contract, (id) => `with the option only: [${JSON.stringify(id)}]`);
  };
  const define = (name: string, check: (skip: (reason: string) => void) => Promise<void>) =>
    it(
      name,
      async function (this: unknown, ...[given]: unknown[]) {
        const running = (given ?? this ?? {}) as RunningTest;
        running.timeout?.(0); // mocha's limit
        const skip = (reason: string) =>
          running.skip === undefined ? warn(`${name}: ${reason}`) : running.skip(reason);
        if (run.fault !== undefined && running.skip !== undefined)
          return skip("not run: the implementation could not be run");
        await check(skip);
      },
      UNLIMITED_MS,
    );
  describe(asked.options.seed === "random" ? `${contract.id}, seed ${seed}` : contract.id, () => {
    for (const suite of new Set(tests.map((test) => test.suite)))
      describe(suite, () => {
        for (const { id } of tests.filter((test) => test.suite === suite))
          define(id, async (skip) => {
            const result = await run.result(id);
            const reason = plain(result?.reason ?? "not tried: so few cases leave none for it");
            if (result?.outcome === "failed") fail([result]);
            if (result?.outcome === "error") throw new Error(reason);
            if (result?.outcome !== "passed") skip(reason);
          });
      });
    define(OTHER_RULES, async () => {
      const more = await run.failedInReport();
      if (more.length > 0) fail(more);
    });
  });
}

/** A run of the kit that starts when its first result is asked for. */
class LazyRun {
  readonly #begin: () => Judging;
  readonly #results = new Map<string, Result>();
  readonly #wake = new Map<string, () => void>();
  #report: Promise<GatedReport> | undefined;
  /** Why the implementation could not be run, once a test has failed for it. */
  fault: unknown;

  constructor(begin: () => Judging) {
    this.#begin = begin;
  }

  /** Result of a vector or property; undefined where the run ended without it. */
  async result(id: string): Promise<Result | undefined> {
    if (this.#results.has(id)) return this.#results.get(id);
    await Promise.race([new Promise<void>((wake) => this.#wake.set(id, wake)), this.#ended()]);
    return this.#results.get(id);
  }

  /** Results that failed only in the finished report, for rules that no vector among them is about. */
  async failedInReport(): Promise<readonly Result[]> {
    const { results } = await this.#ended();
    return results.filter(
      ({ id, outcome }) => outcome === "failed" && this.#results.get(id)?.outcome !== "failed",
    );
  }

  async #ended(): Promise<GatedReport> {
    this.#report ??= this.#read();
    try {
      return await this.#report;
    } catch (fault) {
      this.fault ??= fault;
      throw fault;
    }
  }

  async #read(): Promise<GatedReport> {
    const judging = this.#begin();
    for await (const result of judging) {
      this.#results.set(result.id, result);
      this.#wake.get(result.id)?.();
    }
    return judging.report;
  }
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: a runner that cannot skip a running test shows what is written here
  console.warn(text);
}
