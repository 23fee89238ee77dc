/** Properties: statements about every case of a kind. fast-check draws the cases and shrinks a failing one. */

import { createHash } from "node:crypto";
import fc from "fast-check";
import { type Facts, ImplementationError } from "../adapters/adapter.ts";
import { firstUnmetNeed } from "../adapters/info.ts";
import type { Exchange } from "../contract/exchange.ts";
import type { Worlds } from "../model/belief.ts";
import { evidenceOf } from "../model/history.ts";
import type { TestContext } from "../play/vector-run.ts";
import { CaseEnded, CaseFailed, CheckedRun, type Failure } from "./checked-run.ts";
import { writeCounterexample } from "./counterexample.ts";

/** A property, with what it tests as data. */
export interface Property {
  /** `property/NAME`. */
  readonly id: string;
  /** What holds for every case. */
  readonly title: string;
  /** What a case is. */
  readonly tries: string;
  /** IDs of the rules that it tests. */
  readonly rules: readonly string[];
  /** Required capabilities, by name. */
  readonly needs: readonly string[];
  /** Cases per run of 60. */
  readonly cases: number;
  /** Checks the property on a number of cases that depend on the seed alone. */
  check(context: TestContext, options: PropertyOptions): Promise<PropertyResult>;
}

export interface PropertyOptions {
  readonly seed: number;
  /** Number of cases. */
  readonly cases: number;
}

export interface PropertyResult {
  readonly id: string;
  readonly outcome: "passed" | "failed" | "skipped" | "error";
  /** Reason for a skip or an error. */
  readonly reason?: string;
  readonly counterexample?: Counterexample;
  /** Number of cases before the first failure. */
  readonly cases: number;
  /** Number of requests, without those for shrinking. */
  readonly requests: number;
  /** Number of exchanges that the model did not judge. */
  readonly notDecided: number;
  /**
   * Pairs of an operation with its response and the next operation with its response, such as
   * `build 200 > build 409 IDEMPOTENCY_CONFLICT`.
   */
  readonly pairs: readonly string[];
}

/** The smallest failing case that was found. */
export interface Counterexample extends Failure {
  /** Earlier exchanges that make the response a violation. */
  readonly evidence: readonly Exchange[];
  /** A suite of one vector that fails in the same way, as YAML. */
  readonly vector: string;
}

/** A property whose cases are random values. */
export interface CaseProperty<Value> extends Omit<Property, "id" | "check"> {
  readonly name: string;
  readonly arbitrary: (facts: Facts) => fc.Arbitrary<Value>;
  /** Plays a case. The same value always sends the same requests to the same service. */
  readonly play: (run: CheckedRun, value: Value) => Promise<void>;
  /** Finds out by what clock the service expires entries, before the cases. */
  readonly calibrate?: (run: CheckedRun) => Promise<void>;
  /** Start of a case, in ms after noon (default: between two seconds). */
  readonly startMs?: (value: Value) => number;
}

/** Cases per run for which `Property.cases` is stated. */
export const DEFAULT_RUNS = 60;

const NOON_MS = Date.UTC(2026, 9, 10, 12);
/** Between two seconds, which reveals a clock of whole seconds. */
export const DEFAULT_START_MS = 7_137;
/** Number of requests after which shrinking ends. */
const MAX_SHRINK_REQUESTS = 30_000;

export function property<Value>(spec: CaseProperty<Value>): Property {
  const { name, title, tries, rules, needs, cases } = spec;
  const id = `property/${name}`;
  const check = async (context: TestContext, options: PropertyOptions): Promise<PropertyResult> => {
    const search = new Search(id, spec, context);
    const unmetNeed = firstUnmetNeed(context.adapter.info, needs);
    if (unmetNeed !== undefined) return search.result("skipped", `needs ${unmetNeed}`);
    return search.run(options);
  };
  return { id, title, tries, rules, needs, cases, check };
}

/** A case that failed. */
interface FailedCase {
  readonly run: CheckedRun;
  readonly startMs: number;
  readonly failure: Failure;
}

class Search<Value> {
  readonly #id: string;
  readonly #spec: CaseProperty<Value>;
  readonly #context: TestContext;
  readonly #pairs = new Set<string>();
  /** What earlier cases taught about the service's clock and limiter. Fixed while shrinking. */
  #worlds: Worlds | undefined;
  #failed: FailedCase | undefined;
  /** Set if the implementation threw, which ends the search. */
  #error: ImplementationError | undefined;
  #cases = 0;
  #requests = 0;
  #shrinkRequests = 0;
  #notDecided = 0;

  constructor(id: string, spec: CaseProperty<Value>, context: TestContext) {
    this.#id = id;
    this.#spec = spec;
    this.#context = context;
  }

  async run({ seed, cases }: PropertyOptions): Promise<PropertyResult> {
    if (this.#spec.calibrate !== undefined) await this.#calibrate(this.#spec.calibrate);
    const property = fc.asyncProperty(this.#spec.arbitrary(this.#context.adapter.facts), (value) =>
      this.#holds(value),
    );
    const parameters = { seed: seedOf(seed, this.#id), numRuns: cases, unbiased: true };
    const { failed, errorInstance } = await fc.check(property, parameters);
    if (this.#error !== undefined) return this.result("error", this.#error.message);
    if (!failed) return this.result("passed");
    if (this.#failed === undefined) throw errorInstance;
    return this.result("failed");
  }

  /** Learns the service's clock. A failure is that of property/lifetimes, which does the same. */
  async #calibrate(play: (run: CheckedRun) => Promise<void>): Promise<void> {
    const run = new CheckedRun(this.#context, `${this.#id} 0`, this.#spec.rules);
    const failure = await this.#failureOf(() => play(run), run, NOON_MS + DEFAULT_START_MS);
    if (failure === undefined) this.#worlds = run.worlds;
  }

  result(outcome: PropertyResult["outcome"], reason?: string): PropertyResult {
    return {
      id: this.#id,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(this.#failed === undefined ? {} : { counterexample: this.#counterexample(this.#failed) }),
      cases: this.#cases,
      requests: this.#requests,
      notDecided: this.#notDecided,
      pairs: [...this.#pairs].sort(),
    };
  }

  /** Plays a case. While shrinking, a case that violates another rule counts as one that does not fail. */
  async #holds(value: Value): Promise<boolean> {
    const isShrinking = this.#failed !== undefined;
    if (this.#error !== undefined || this.#shrinkRequests > MAX_SHRINK_REQUESTS) return true;
    const startMs = NOON_MS + (this.#spec.startMs?.(value) ?? DEFAULT_START_MS);
    this.#cases += isShrinking ? 0 : 1;
    const run = new CheckedRun(this.#context, `${this.#id} ${this.#cases}`, this.#spec.rules, this.#worlds);
    const failure = await this.#failureOf(() => this.#spec.play(run, value), run, startMs);
    const requests = run.exchanges.length;
    if (isShrinking) this.#shrinkRequests += requests;
    else this.#record(run);
    if (failure === undefined) {
      if (!isShrinking) this.#worlds = run.worlds ?? this.#worlds;
      return true;
    }
    if (this.#failed !== undefined && this.#failed.failure.rules[0] !== failure.rules[0]) return true;
    this.#failed = { run, startMs, failure };
    return false;
  }

  async #failureOf(
    play: () => Promise<void>,
    run: CheckedRun,
    startMs: number,
  ): Promise<Failure | undefined> {
    try {
      await run.start(startMs);
      await play();
      return undefined;
    } catch (error) {
      if (error instanceof CaseFailed) return error.failure;
      if (error instanceof CaseEnded) return undefined;
      if (error instanceof ImplementationError) this.#error = error;
      throw error;
    }
  }

  #record({ exchanges, notDecided }: CheckedRun): void {
    this.#requests += exchanges.length;
    this.#notDecided += notDecided;
    for (const [index, exchange] of exchanges.entries()) {
      const next = exchanges[index + 1];
      if (next !== undefined) this.#pairs.add(`${nameOf(exchange)} > ${nameOf(next)}`);
    }
  }

  #counterexample({ run, startMs, failure }: FailedCase): Counterexample {
    const { history } = run;
    const index = history.findIndex(
      ({ event }) => event.kind === "exchange" && event.exchange === failure.exchange,
    );
    const violation = { ...failure, partition: "", expected: failure.allowed ?? [], index };
    const evidence =
      failure.allowed === undefined ? [] : evidenceOf(history, violation, run.originAt(startMs));
    return {
      ...failure,
      evidence: evidence.flatMap((place) => {
        const event = history[place]?.event;
        return event?.kind === "exchange" ? [event.exchange] : [];
      }),
      vector: writeCounterexample(this.#spec.name, run.played, failure, startMs - NOON_MS),
    };
  }
}

/** Returns the operation and the response of an exchange, as in `build 409 IDEMPOTENCY_CONFLICT`. */
function nameOf({ operation, status, body: { code } }: Exchange): string {
  return [operation, status ?? "no status", ...(typeof code === "string" ? [code] : [])].join(" ");
}

/** Derives the seed of a property, so that properties draw independently. */
function seedOf(seed: number, id: string): number {
  return createHash("sha256").update(`${seed} ${id}`).digest().readInt32LE();
}
