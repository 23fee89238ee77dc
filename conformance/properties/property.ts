/** Properties: statements about random cases. fast-check draws the cases and shrinks a failing one. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import fc from "fast-check";
import { ConnectionLost, type Facts, ImplementationError } from "../adapters/adapter.ts";
import { firstUnmetNeed } from "../adapters/info.ts";
import { OUTCOMES } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { matchesOutcome } from "../contract/outcome.ts";
import { STATUS_OF_CODE } from "../contract/refusals.ts";
import type { Observation, Recommendation } from "../judge/judgment.ts";
import type { Worlds } from "../model/belief.ts";
import { addRefusal } from "../play/occupancy.ts";
import type { Refusal, Result, Search } from "../play/result.ts";
import type { TestContext } from "../play/vector-run.ts";
import type { Test } from "../suite/vector.ts";
import { CheckedCase, type Script } from "./checked-case.ts";
import { writeCounterexample } from "./counterexample.ts";

/** A test that draws random cases. */
export interface Property extends Test {
  /** Description of a case. */
  readonly tries: string;
  /**
   * Checks cases that depend only on the seed and the facts of the service.
   * @throws {Error} only for a fault of the kit
   */
  check(context: TestContext, options: PropertyOptions): Promise<Result>;
}

export interface PropertyOptions {
  readonly seed: number;
  /** Factor of the number of cases. The other factor is the property's `casesPerRun`. */
  readonly runs: number;
  /** Called between cases. */
  readonly nextTurn?: (() => Promise<void>) | undefined;
  /** Ends the search. The result then has no meaning. */
  readonly signal?: AbortSignal | undefined;
}

/** The cases of a property. */
export interface Cases {
  readonly casesPerRun: number;
  readonly draw: (facts: Facts) => fc.Arbitrary<Script>;
  /** Cases that are always checked, before the random cases. */
  readonly examples?: readonly Script[];
}

/** Number of requests after which shrinking ends. */
const MAX_SHRINK_REQUESTS = 20_000;

/** Checks the cases of a property, as {@link Property.check} does. */
export async function checkCases(
  test: Test,
  cases: Cases,
  context: TestContext,
  options: PropertyOptions,
): Promise<Result> {
  const search = new CaseSearch(test, context, options);
  const unmetNeed = firstUnmetNeed(context.adapter.info, test.needs);
  if (unmetNeed !== undefined) return search.result("skipped", `needs ${unmetNeed}`);
  await search.run(cases);
  if (search.error === undefined) return search.result("passed");
  return { ...search.result("error", search.error.message), error: search.error.details };
}

class CaseSearch {
  readonly #test: Test;
  readonly #context: TestContext;
  readonly #options: PropertyOptions;
  /** The pairs of successive responses, by their text. */
  readonly #pairs = new Map<string, readonly [string, string]>();
  readonly #succeeded = new Set<string>();
  readonly #observations = new Map<string, Observation>();
  readonly #recommendations = new Map<string, Recommendation>();
  readonly #refusals: Refusal[] = [];
  /** Knowledge from earlier cases about the service's clock and limiter. Fixed while shrinking. */
  #worlds: Worlds | undefined;
  #failed: CheckedCase | undefined;
  /** The first case that fails only with the knowledge from earlier cases. */
  #dependent: CheckedCase | undefined;
  readonly #counts = { cases: 0, requests: 0, notDecided: 0 };
  #plays = 0;
  #shrinkRequests = 0;
  /** Set if the implementation failed, which ends the search. */
  error: ImplementationError | undefined;

  constructor(test: Test, context: TestContext, options: PropertyOptions) {
    this.#test = test;
    this.#context = context;
    this.#options = options;
  }

  async run({ draw, examples = [], casesPerRun }: Cases): Promise<void> {
    const { seed, runs } = this.#options;
    const numRuns = Math.ceil(casesPerRun * runs) + examples.length;
    await this.#check(draw(this.#context.adapter.info.facts), {
      ...{ seed: seedOf(seed, this.#test.id), numRuns, unbiased: true },
      examples: examples.map((script): [Script] => [script]),
    });
    this.#failed ??= this.#dependent;
    const actions = this.#failed?.played.map(({ action }) => action);
    if (actions === undefined) return;
    // Shrinking the drawn values can leave unnecessary actions, so a second check shrinks the actions.
    this.#shrinkRequests = 0;
    await this.#check(fc.subarray(actions), { seed: 0, numRuns: 1, examples: [[actions]] });
  }

  async #check(cases: fc.Arbitrary<Script>, parameters: fc.Parameters<[Script]>): Promise<void> {
    const { failed, errorInstance } = await fc.check(
      fc.asyncProperty(cases, (script) => this.#holds(script)),
      parameters,
    );
    if (failed && this.#failed === undefined && this.error === undefined) throw errorInstance;
  }

  /**
   * Plays a case. If it fails only with the knowledge from earlier cases, the search continues, because such
   * a failure is hard to understand. While shrinking, a case that violates another rule counts as passed.
   */
  async #holds(script: Script): Promise<boolean> {
    const isShrinking = this.#failed !== undefined;
    const isEnded = this.error !== undefined || this.#options.signal?.aborted;
    if (isEnded || this.#shrinkRequests > MAX_SHRINK_REQUESTS) return true;
    this.#counts.cases += isShrinking ? 0 : 1;
    const checked = await this.#play(script, this.#worlds);
    if (checked === undefined) return true;
    if (isShrinking) this.#shrinkRequests += checked.run.conversation.exchanges.length;
    else this.#record(checked);
    if (checked.failure === undefined) {
      if (!isShrinking) this.#worlds = checked.checker.worlds ?? this.#worlds;
      return true;
    }
    if (isShrinking && this.#failed?.failure?.rules[0] !== checked.failure.rules[0]) return true;
    if (isShrinking || this.#worlds === undefined) {
      this.#failed = checked;
      return false;
    }
    const alone = await this.#play(script, undefined);
    if (alone?.failure === undefined) {
      this.#dependent ??= checked;
      return true;
    }
    this.#worlds = undefined;
    this.#failed = alone;
    return false;
  }

  /** @returns undefined if the implementation failed */
  async #play(script: Script, worlds: Worlds | undefined): Promise<CheckedCase | undefined> {
    this.#plays += 1;
    // Each play has its own actors, because a service may remember those of earlier plays.
    const label = `${this.#test.id} ${this.#plays}`;
    const checked = new CheckedCase(this.#test, this.#context, label, worlds);
    const { conversation } = checked.run;
    try {
      await checked.play(script);
      await conversation.close();
      await this.#options.nextTurn?.();
      return checked;
    } catch (error) {
      await conversation.close().catch(() => {});
      if (error instanceof ConnectionLost) return this.#play(script, worlds);
      if (!(error instanceof ImplementationError)) throw error;
      this.error = error;
      return undefined;
    }
  }

  #record({ checker, run: { conversation, record } }: CheckedCase): void {
    const { exchanges } = conversation;
    this.#counts.requests += exchanges.length;
    this.#counts.notDecided += checker.notDecided;
    for (const [index, exchange] of exchanges.entries()) {
      if (matchesOutcome(exchange, OUTCOMES.success)) this.#succeeded.add(exchange.operation);
      const next = exchanges[index + 1];
      if (next === undefined) continue;
      const pair = [nameOf(exchange), nameOf(next)] as const;
      this.#pairs.set(pair.join(), pair);
    }
    for (const one of record.observations) this.#observations.set(`${one.point} ${one.reading}`, one);
    for (const refusal of record.refusals) addRefusal(this.#refusals, refusal);
    for (const one of record.recommendations) this.#recommendations.set(one.rule, one);
  }

  /** @param outcome outcome if no case failed */
  result(outcome: Result["outcome"], reason?: string): Result {
    const failed = this.#failed;
    const name = basename(this.#test.id);
    const written = failed?.failure && writeCounterexample(name, failed.played, failed.failure);
    const search: Search = {
      ...this.#counts,
      pairs: [...this.#pairs.values()].sort(),
      ...(written && { counterexample: written.text }),
    };
    const place = { file: `${name}.yaml`, line: written?.line ?? 1 };
    const step = String(written?.steps);
    return {
      vector: this.#test,
      outcome: failed === undefined ? outcome : "failed",
      ...(reason !== undefined && { reason }),
      ...(failed && { reason: `case ${this.#counts.cases} failed` }),
      findings: failed?.failure ? [{ ...failed.failure, place, step, incidental: false }] : [],
      succeeded: [...this.#succeeded],
      observations: [...this.#observations.values()],
      recommendations: [...this.#recommendations.values()],
      ...(this.#refusals.length > 0 && { refusals: this.#refusals }),
      search,
    };
  }
}

/** Returns the operation and the response of an exchange, as in `build 409 IDEMPOTENCY_CONFLICT`. */
function nameOf({ operation, status, body: { code } }: Exchange): string {
  const known = STATUS_OF_CODE.has(String(code)) ? ` ${code}` : "";
  return `${operation} ${status ?? "without a status"}${known}`;
}

/** Derives the seed of a property, so that properties draw independently. */
function seedOf(seed: number, id: string): number {
  return createHash("sha256").update(`${seed} ${id}`).digest().readInt32LE();
}
