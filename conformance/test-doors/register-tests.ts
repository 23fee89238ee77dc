import { AdapterFault } from "../adapters/adapter.ts";
import { inProcessAdapter } from "../adapters/in-process.ts";
import type { JudgeAsked } from "../api/judge-options.ts";
import { CHANCE } from "../cli/chance.ts";
import { drawn, searchOf } from "../cli/judge-run.ts";
import { selectAdapter } from "../cli/select-adapter.ts";
import { loadKitData } from "../contract/kit-data.ts";
import { SEARCH_IDS } from "../contract/search-ids.ts";
import type { Result } from "../engine/play/result.ts";
import { choose } from "../engine/run/plan.ts";
import { MACHINE_TIME } from "../machine-time.ts";
import type { DoorOptions } from "./door-options.ts";
import { doorAsked } from "./door-options.ts";
import { failureError } from "./failure-error.ts";
import { NotTried, Session } from "./session.ts";

/** The part of a test runner that the kit's tests need. */
export interface TestRunner {
  /** @param together whether its tests are to run all at once */
  suite(name: string, together: boolean, define: () => void): void;
  /** A test that fails by throwing, and is skipped by calling `skip`, after which it returns. */
  test(name: string, run: (skip: (reason: string) => void) => Promise<void>): void;
  /** What is done after all tests of the suite at hand; where it throws, the suite fails. */
  after(run: () => Promise<void>): void;
  /** How just one test is run again, in words. */
  again(id: string): string;
}

/** A test: its name, and how it is played. */
interface Tried {
  readonly id: string;
  readonly suite: string;
  readonly play: (session: Session) => Promise<Result>;
}

/** The suite of the searches: the first part of their ids. */
const SEARCHED = "property";

/**
 * Registers a test for every vector and property that is chosen, by its id, in a suite for each of the kit's suites.
 * @throws {UsageError} for options that are wrong
 * @throws {DataError} where a glob matches nothing
 */
export function registerTests(runner: TestRunner, given: DoorOptions): void {
  const asked = doorAsked(given);
  const options = drawn(asked.options, CHANCE);
  const { contract, suites } = loadKitData();
  const searching = { runs: options.runs, ...searchOf(options) };
  const searches = [
    ...(options.runs === 0 ? [] : SEARCH_IDS.properties),
    ...(searching.exhaustive === undefined ? [] : [SEARCH_IDS.exhaustive]),
  ];
  const { vectors, properties } = choose(suites.vectors, searches, options.only);
  const { seed, salt, maxWaitMs } = options;
  const shared = options.url !== undefined && options.controlUrl === undefined;
  const session = new Session({
    openAdapter: () => openAdapter(asked),
    given: { contract, seed, salt },
    searching,
    maxWaitMs,
    time: MACHINE_TIME,
    shared,
  });
  const tests: readonly Tried[] = [
    ...vectors.map((vector) => ({
      id: vector.id,
      suite: vector.suite,
      play: (on: Session) => on.play(vector),
    })),
    ...[...properties].map((id) => ({ id, suite: SEARCHED, play: (on: Session) => on.search(id) })),
  ];
  const run = async ({ play }: Tried, skip: (reason: string) => void) => {
    const result = await play(session).catch((error: unknown) => {
      if (error instanceof NotTried) return error;
      throw error;
    });
    if (result instanceof NotTried) return skip(result.message);
    if (result.outcome === "skipped") return skip(result.reason ?? "");
    if (result.outcome === "error") throw new AdapterFault(result.reason ?? "", { fatal: false });
    if (result.outcome === "failed") throw failureError([result], contract, runner.again);
  };
  // In parallel where all share one service: the session keeps the order of those that do not wait.
  const outermost = asked.options.seed === "random" ? `${contract.id}, seed ${seed}` : contract.id;
  runner.suite(outermost, shared, () => {
    for (const [suite, members] of bySuite(tests)) {
      runner.suite(suite, shared, () => {
        for (const one of members) runner.test(one.id, (skip) => run(one, skip));
      });
    }
    runner.after(async () => {
      await session.close();
      const onTheWay = session.onTheWay();
      if (onTheWay.length > 0) throw failureError(onTheWay, contract, runner.again);
    });
  });
}

async function openAdapter({ options, service }: JudgeAsked) {
  if (service !== undefined) return inProcessAdapter(service, { name: "createService" });
  const { adapter } = await selectAdapter({ ...options, jobs: 1 }, () => undefined);
  return adapter;
}

function bySuite(tests: readonly Tried[]): ReadonlyMap<string, readonly Tried[]> {
  const suites = new Map<string, Tried[]>();
  for (const test of tests) {
    const members = suites.get(test.suite) ?? [];
    suites.set(test.suite, members);
    members.push(test);
  }
  return suites;
}
