import { after, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterFault } from "./adapters/adapter.ts";
import { CHANCE } from "./cli/chance.ts";
import { loadKitData } from "./contract/kit-data.ts";
import { choose } from "./engine/run/choose.ts";
import type { Vector } from "./engine/vectors/vector.ts";
import { failureError } from "./node-test/failure-error.ts";
import { NotTried, Session } from "./node-test/session.ts";
import { checkTarget, isShared, type Target, targetAdapter } from "./node-test/target.ts";

export type { Target } from "./node-test/target.ts";

/** Which vectors, and how; times in ms. */
export interface Selection {
  /** Globs over the ids of vectors; all where there is none. */
  readonly only?: readonly string[];
  /** Seed of all key pairs; 1 by default. One that is drawn stands in the name of the outermost suite. */
  readonly seed?: number | "random";
  /** Sets the key pairs apart from those of other runs; drawn by default where the service outlives the run. */
  readonly salt?: string;
  /** Longest wait on a real clock; 90 s by default. */
  readonly maxWaitMs?: number;
}

/**
 * Registers a test of node:test for every vector, named by the vector's id, in a suite for each of the kit's suites:
 * one call in a test file. What the implementation lacks is skipped with the reason. A rule that is seen broken only
 * on the way to something else fails the outermost suite. For watch mode import the service and give `createService`:
 * what `module` names is loaded out of the test runner's sight.
 *
 * @param options the implementation under test, by one of `module`, `command`, `attach`, `url` (as on the command
 *   line, with the options that go with it) or `createService` (with `facts` and `capabilities`); and the selection
 * @throws {TypeError} where no implementation is named
 * @throws {DataError} where a glob matches no vector
 */
export function conformanceTests(options: Target & Selection): void {
  const { only = [], seed: given = 1, salt, maxWaitMs = 90_000, ...target } = options;
  const seed = given === "random" ? CHANCE.seed() : given;
  checkTarget(target);
  const { contract, suites } = loadKitData();
  const { vectors } = choose(suites.vectors, [], only);
  const shared = isShared(target);
  const session = new Session({
    openAdapter: () => targetAdapter(target),
    given: { contract, seed, salt: { text: salt ?? CHANCE.salt(), told: salt !== undefined } },
    maxWaitMs,
    time: { now: () => Date.now(), sleep: (ms) => sleep(ms) },
    shared,
  });
  const test = async (context: TestContext, vector: Vector) => {
    const result = await session.play(vector).catch((error: unknown) => {
      if (error instanceof NotTried) return error;
      throw error;
    });
    if (result instanceof NotTried) return context.skip(result.message);
    if (result.outcome === "skipped") context.skip(result.reason);
    if (result.outcome === "error") throw new AdapterFault(result.reason ?? "", { fatal: false });
    if (result.outcome === "failed") throw failureError([result], contract);
  };
  // All at once where all share one service: the session itself keeps order among those that do not wait.
  const concurrency = shared ? vectors.length : 1;
  describe(given === "random" ? `${contract.id}, seed ${seed}` : contract.id, { concurrency }, () => {
    for (const [suite, members] of bySuite(vectors)) {
      describe(suite, { concurrency }, () => {
        for (const vector of members) it(vector.id, (context) => test(context, vector));
      });
    }
    after(async () => {
      await session.close();
      const onTheWay = session.onTheWay();
      if (onTheWay.length > 0) throw failureError(onTheWay, contract);
    });
  });
}

function bySuite(vectors: readonly Vector[]): ReadonlyMap<string, readonly Vector[]> {
  const suites = new Map<string, Vector[]>();
  for (const vector of vectors) {
    const members = suites.get(vector.suite) ?? [];
    suites.set(vector.suite, members);
    members.push(vector);
  }
  return suites;
}
