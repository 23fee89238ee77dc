/** Plays the steps of a case on a new service. The judge and the model check every response. */
import { Unsupported } from "../adapters/adapter.ts";
import type { Fields } from "../adapters/json.ts";
import type { Store } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { Belief, type Worlds } from "../model/belief.ts";
import { instant } from "../model/clock-worlds.ts";
import type { TimedEvent } from "../model/event.ts";
import { independentComponents } from "../model/history.ts";
import { stepGroup } from "../model/linearize.ts";
import { StoreFiller } from "../play/fill-stores.ts";
import { StepFailed, type StepPlace } from "../play/result.ts";
import { createStepRequest, sendStep } from "../play/send.ts";
import { type TestContext, VectorRun } from "../play/vector-run.ts";
import { SkipVector } from "../suite/skip.ts";
import type { RequestStep, RequestVerb } from "../suite/vector.ts";

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
  /** Adds entries to a store, each by another creator. */
  | { readonly verb: "crowd"; readonly store: Store; readonly times: number }
  /** Sends all requests at once. */
  | { readonly verb: "together"; readonly requests: readonly RequestAction[] };

/** An action that was played, and what it showed. */
export interface PlayedAction {
  readonly action: Action;
  /** The exchanges of the action's own requests, without those that prepare them. */
  readonly exchanges: readonly Exchange[];
  /** Belief before a group of requests in flight. */
  readonly before?: Belief;
}

/** A response that violates the contract. */
export interface Failure {
  readonly rules: readonly string[];
  readonly statement: string;
  readonly exchange: Exchange;
  /** Allowed outcomes by name, if the outcome is wrong. */
  readonly allowed?: readonly string[];
  readonly expected: string;
  readonly got: string;
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

const PLACE: StepPlace = { step: "case", place: { file: "case", line: 1 } };

export class CheckedRun {
  readonly played: PlayedAction[] = [];
  /** Everything that happened, for the model's explanation. */
  readonly history: TimedEvent[] = [];
  readonly #run: VectorRun;
  readonly #worlds: Worlds | undefined;
  #filler: StoreFiller;
  #beliefs: readonly Belief[] = [];
  /** Number of exchanges and findings that have been checked. */
  #checked = { exchanges: 0, findings: 0 };
  #order = 0;

  /**
   * @param id text that separates the actors of this case from those of others
   * @param worlds worlds that earlier cases left
   */
  constructor(context: TestContext, id: string, rules: readonly string[], worlds?: Worlds) {
    const vector = { id, title: id, rules, place: PLACE.place, clock: "", needs: new Set<string>() };
    this.#run = new VectorRun({ ...vector, caseValues: {}, steps: [] }, context);
    this.#filler = new StoreFiller(this.#run);
    this.#worlds = worlds;
  }

  get nowMs(): number {
    return this.#run.nowMs;
  }

  get exchanges(): readonly Exchange[] {
    return this.#run.exchanges;
  }

  /** Worlds that this case left, or undefined if they depend on the order of requests in flight. */
  get worlds(): Worlds | undefined {
    return this.#beliefs.length === 1 ? this.#beliefs[0]?.worlds : undefined;
  }

  get notDecided(): number {
    return this.#beliefs[0]?.notDecided ?? 0;
  }

  /** Where the model starts. */
  originAt(nowMs: number) {
    const { adapter, contract } = this.#run.context;
    const { facts } = adapter;
    const started = instant(nowMs);
    return { facts, responses: contract.responses, started, incomplete: false, worlds: this.#worlds };
  }

  async start(nowMs: number): Promise<void> {
    await this.#run.start(nowMs);
    this.#beliefs = [new Belief(this.originAt(nowMs))];
  }

  /** Plays actions one after the other. */
  async play(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      if (action.verb === "advance") await this.advance(action.ms);
      else if (action.verb === "restart") await this.restart();
      else if (action.verb === "crowd") await this.crowd(action.store, action.times);
      else if (action.verb === "together") await this.together(action.requests);
      else await this.request(action.verb, action.fields, action.as);
    }
  }

  /**
   * Sends a request, after those that it depends on.
   * @throws {CaseFailed | CaseEnded}
   */
  async request(verb: RequestVerb, fields: Fields, as?: string): Promise<Exchange> {
    const step = stepOf({ verb, fields });
    const exchange = await this.#attempt(() => sendStep(this.#run, step, PLACE));
    this.#save({ action: { verb, fields, as }, exchanges: [exchange] });
    this.#check();
    return exchange;
  }

  /** @throws {CaseFailed} if no order of the requests explains the responses */
  async together(actions: readonly RequestAction[]): Promise<readonly Exchange[]> {
    const run = this.#run;
    const requests = await this.#attempt(async () => {
      const created = [];
      for (const action of actions) created.push(await createStepRequest(run, stepOf(action), PLACE));
      return created;
    });
    this.#check();
    const before = this.#beliefs[0]?.clone();
    const exchanges = await this.#attempt(() =>
      Promise.all(requests.map((request) => run.send(request, PLACE))),
    );
    const action = { verb: "together", requests: actions } as const;
    this.#save({ action, exchanges, ...(before === undefined ? {} : { before }) });
    this.#check(exchanges.length);
    return exchanges;
  }

  async crowd(store: Store, times: number): Promise<void> {
    const step = { verb: "crowd", store, times, rules: [], place: PLACE.place } as const;
    this.#save({ action: { verb: "crowd", store, times }, exchanges: [] });
    await this.#attempt(() => this.#filler.play(step, PLACE));
    this.#check();
  }

  async advance(ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#save({ action: { verb: "advance", ms }, exchanges: [] });
    this.#run.service.advance(ms);
  }

  async restart(): Promise<void> {
    this.#save({ action: { verb: "restart" }, exchanges: [] });
    await this.#run.start(this.nowMs);
    this.#filler = new StoreFiller(this.#run);
    this.#step([{ kind: "restart", at: instant(this.nowMs) }]);
  }

  #save(played: PlayedAction): void {
    this.played.push(played);
    const { action, exchanges } = played;
    const names =
      action.verb === "together" ? action.requests.map(({ as }) => as) : ["as" in action && action.as];
    for (const [index, name] of names.entries()) {
      const exchange = exchanges[index];
      if (typeof name === "string" && exchange !== undefined) this.#run.captures.set(name, exchange);
    }
  }

  /** Sends requests. If the service refuses one that others depend on, checks it and ends the case. */
  async #attempt<Value>(send: () => Promise<Value>): Promise<Value> {
    try {
      return await send();
    } catch (error) {
      const isEnd =
        error instanceof StepFailed || error instanceof SkipVector || error instanceof Unsupported;
      if (!isEnd) throw error;
      this.#check();
      throw new CaseEnded(error.message);
    }
  }

  /**
   * Checks the new exchanges.
   * @param inFlight number of the last of them that were in flight together
   */
  #check(inFlight = 1): void {
    const fresh = this.#run.exchanges.slice(this.#checked.exchanges);
    this.#checked.exchanges += fresh.length;
    this.#checkFindings();
    const alone = fresh.slice(0, fresh.length - inFlight);
    for (const exchange of alone) this.#step([eventOf(exchange)]);
    const group = fresh.slice(alone.length).map(eventOf);
    if (group.length > 0) this.#step(group);
  }

  /** @throws {CaseFailed} if the judge has found something since the last call */
  #checkFindings(): void {
    const { findings } = this.#run.record;
    const found = findings
      .slice(this.#checked.findings)
      .find(({ exchange, paths }) => exchange !== undefined && paths.length > 0);
    this.#checked.findings = findings.length;
    if (found?.exchange === undefined) return;
    const { rules, exchange, expected, got } = found;
    throw new CaseFailed({ rules, exchange, expected, got, statement: `${expected} in every response` });
  }

  #step(events: readonly TimedEvent["event"][]): void {
    this.#order += 1;
    const group = events.map((event) => ({ event, sentAt: this.#order, receivedAt: this.#order }));
    this.history.push(...group);
    for (const component of independentComponents(group, this.#beliefs)) {
      const { beliefs, violation } = stepGroup(this.#beliefs, component);
      this.#beliefs = beliefs;
      if (violation === undefined) continue;
      const { rules, statement, exchange, expected: allowed, got } = violation;
      throw new CaseFailed({ rules, statement, exchange, allowed, expected: allowed.join(" | "), got });
    }
  }
}

function eventOf(exchange: Exchange): TimedEvent["event"] {
  return { kind: "exchange", exchange, at: instant(exchange.atMs) };
}

function stepOf({ verb, fields }: RequestAction): RequestStep {
  return { verb, fields, rules: [], place: PLACE.place };
}
