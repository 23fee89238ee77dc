/** Plays the actions of a case on a new service. The judge and the model check every response. */
import { Unsupported } from "../adapters/adapter.ts";
import type { Fields } from "../adapters/json.ts";
import type { Store } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { formatOutcomes } from "../contract/outcome.ts";
import { outcomesOf } from "../contract/refusals.ts";
import type { Belief, Worlds } from "../model/belief.ts";
import { instant } from "../model/clock-worlds.ts";
import type { ServiceEvent } from "../model/event.ts";
import { HistoryChecker } from "../model/history.ts";
import { StoreFiller } from "../play/fill-stores.ts";
import { startTimeMs } from "../play/play.ts";
import { type Finding, StepFailed, type StepPlace } from "../play/result.ts";
import { createStepRequest, sendStep } from "../play/send.ts";
import { describeResponse, type TestContext, VectorRun } from "../play/vector-run.ts";
import { SkipVector } from "../suite/skip.ts";
import type { RequestStep, RequestVerb, Vector } from "../suite/vector.ts";

/** A request as a vector writes it. */
export interface RequestAction {
  readonly verb: RequestVerb;
  readonly fields: Fields;
  /** Name by which later actions refer to the exchange. */
  readonly as?: string | undefined;
}

/** A step as a vector writes it. */
export type Action =
  | RequestAction
  | { readonly verb: "advance"; readonly ms: number }
  | { readonly verb: "restart" }
  /** Adds entries to a store, by one actor or each by another one. */
  | { readonly verb: "crowd"; readonly store: Store; readonly times: number; readonly by?: string }
  /** Sends all requests at once. */
  | { readonly verb: "together"; readonly requests: readonly RequestAction[] };

/** An action that was played, and what it showed. */
export interface PlayedAction {
  readonly action: Action;
  /** The exchanges of the action's own requests, without those that prepare them. */
  readonly exchanges: readonly Exchange[];
  /** Belief before a group of requests in flight. */
  readonly before?: Belief | undefined;
}

/** A response that violates the contract, found by the judge or the model. */
export interface Failure extends Finding {
  readonly exchange: Exchange;
  /** What is wrong, as a sentence. */
  readonly statement: string;
  /** Allowed outcomes by name, if the outcome is wrong. */
  readonly allowed?: readonly string[];
}

/** Ends a case whose response violates the contract. */
export class CaseFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.rules.join(", ")}: expected ${failure.expected}, got ${failure.got}`);
    this.failure = failure;
  }
}

/** Ends a case that cannot go on, without a violation. */
export class CaseEnded extends Error {}

export class CheckedRun {
  readonly played: PlayedAction[] = [];
  readonly #run: VectorRun;
  readonly #filler: StoreFiller;
  readonly #checker: HistoryChecker;
  /** Number of exchanges and findings that have been checked. */
  #checked = { exchanges: 0, findings: 0 };

  private constructor(run: VectorRun, worlds: Worlds | undefined) {
    const { adapter, contract } = run.context;
    this.#run = run;
    this.#filler = new StoreFiller(run);
    this.#checker = new HistoryChecker({
      facts: adapter.facts,
      responses: contract.responses,
      started: instant(run.nowMs),
      incomplete: false,
      worlds,
    });
  }

  /**
   * Starts a service. The caller closes the run.
   * @param label text that separates the actors of this case from those of others
   * @param worlds worlds that earlier cases left
   */
  static async start(vector: Vector, context: TestContext, label: string, worlds?: Worlds) {
    const run = new VectorRun(vector, context, label);
    await run.start(startTimeMs(vector.clock));
    return new CheckedRun(run, worlds);
  }

  close(): Promise<void> {
    return this.#run.close();
  }

  get nowMs(): number {
    return this.#run.nowMs;
  }

  get exchanges(): readonly Exchange[] {
    return this.#run.exchanges;
  }

  /** What the judge found and observed. */
  get record(): VectorRun["record"] {
    return this.#run.record;
  }

  /** Worlds that this case left, or undefined if they depend on the order of requests in flight. */
  get worlds(): Worlds | undefined {
    return this.#checker.worlds;
  }

  get notDecided(): number {
    return this.#checker.notDecided;
  }

  /**
   * Plays actions one after the other.
   * @throws {CaseFailed | CaseEnded}
   */
  async play(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      if (action.verb === "advance") await this.advance(action.ms);
      else if (action.verb === "restart") await this.restart();
      else if (action.verb === "crowd") await this.crowd(action);
      else if (action.verb === "together") await this.together(action.requests);
      else await this.request(action);
    }
  }

  /** Sends a request, after those that it depends on. @throws {CaseFailed | CaseEnded} */
  async request(action: RequestAction): Promise<Exchange> {
    const exchange = await this.#attempt(action, () =>
      sendStep(this.#run, this.#stepOf(action), this.#place),
    );
    this.#save({ action, exchanges: [exchange] });
    this.#check();
    return exchange;
  }

  /** @throws {CaseFailed} if no order of the requests explains the responses */
  async together(requests: readonly RequestAction[]): Promise<readonly Exchange[]> {
    const action = { verb: "together", requests } as const;
    const created = await this.#attempt(action, async () => {
      const all = [];
      for (const request of requests)
        all.push(await createStepRequest(this.#run, this.#stepOf(request), this.#place));
      return all;
    });
    this.#check();
    const before = this.#checker.belief();
    const exchanges = await this.#attempt(action, () =>
      Promise.all(created.map((request) => this.#run.send(request, this.#place))),
    );
    this.#save({ action, exchanges, before });
    this.#check(exchanges.length);
    return exchanges;
  }

  async crowd(action: Extract<Action, { readonly verb: "crowd" }>): Promise<void> {
    const step = { ...action, rules: [], place: this.#place.place };
    await this.#attempt(action, () => this.#filler.play(step, this.#place));
    this.#save({ action, exchanges: [] });
    this.#check();
  }

  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#save({ action: { verb: "advance", ms }, exchanges: [] });
    await this.#run.service.advance(ms);
  }

  async restart(): Promise<void> {
    this.#save({ action: { verb: "restart" }, exchanges: [] });
    this.#filler.reset();
    await this.#run.start(this.nowMs);
    this.#step([{ kind: "restart", at: instant(this.nowMs) }]);
  }

  get #place(): StepPlace {
    return { step: String(this.played.length + 1), place: this.#run.vector.place };
  }

  #stepOf({ verb, fields }: RequestAction): RequestStep {
    return { verb, fields, rules: [], place: this.#run.vector.place };
  }

  #save(played: PlayedAction): void {
    this.played.push(played);
    const { action, exchanges } = played;
    const requests = action.verb === "together" ? action.requests : "fields" in action ? [action] : [];
    for (const [index, { as }] of requests.entries()) {
      const exchange = exchanges[index];
      if (as !== undefined && exchange !== undefined) this.#run.captures.set(as, exchange);
    }
  }

  /** Sends requests. If the service refuses one that others depend on, checks it and ends the case. */
  async #attempt<Value>(action: Action, send: () => Promise<Value>): Promise<Value> {
    try {
      return await send();
    } catch (error) {
      const isEnd =
        error instanceof StepFailed || error instanceof SkipVector || error instanceof Unsupported;
      if (!isEnd) throw error;
      this.#save({ action, exchanges: [] });
      this.#check();
      throw new CaseEnded(error.message);
    }
  }

  /**
   * Checks the new exchanges.
   * @param inFlight number of the last of them that were in flight together
   */
  #check(inFlight = 1): void {
    const fresh = this.exchanges.slice(this.#checked.exchanges);
    this.#checked.exchanges += fresh.length;
    const found = this.record.findings
      .slice(this.#checked.findings)
      .find(({ exchange, paths }) => exchange !== undefined && paths.length > 0);
    this.#checked.findings = this.record.findings.length;
    if (found?.exchange !== undefined)
      throw new CaseFailed({ ...found, exchange: found.exchange, statement: "each response is well-formed" });
    const events = fresh.map((exchange): ServiceEvent => {
      return { kind: "exchange", exchange, at: instant(exchange.atMs) };
    });
    for (const event of events.slice(0, -inFlight)) this.#step([event]);
    if (events.length > 0) this.#step(events.slice(-inFlight));
  }

  #step(events: readonly ServiceEvent[]): void {
    const group = events.map((event) => ({ event, sentAt: 0, receivedAt: 0 }));
    const [violation] = this.#checker.step(group);
    if (violation === undefined) return;
    const { rules, statement, exchange, expected: allowed, got } = violation;
    const finding = this.#run.addFinding(this.#place, {
      ...{ rules, exchange, paths: [], malformed: false },
      expected: formatOutcomes(...outcomesOf(allowed)),
      got: got === exchange.body["code"] ? describeResponse(exchange) : got.replace(/^OK/, "200"),
    });
    throw new CaseFailed({ ...finding, exchange, statement, allowed });
  }
}
