/** Plays the actions of a case on a new service. The judge and the model check every response. */
import { Unsupported } from "../adapters/adapter.ts";
import type { Exchange } from "../contract/exchange.ts";
import { instant } from "../judge/clocks.ts";
import type { Belief, Worlds } from "../model/belief.ts";
import type { ServiceEvent } from "../model/event.ts";
import { HistoryChecker } from "../model/history.ts";
import { differenceOf } from "../model/violation.ts";
import { playStoreStep } from "../play/fill-stores.ts";
import { startTimeMs } from "../play/play.ts";
import { type Finding, StepFailed, type StepPlace } from "../play/result.ts";
import { createStepRequest, sendStep } from "../play/send.ts";
import { type TestContext, VectorRun } from "../play/vector-run.ts";
import { SkipVector } from "../suite/skip.ts";
import type { RequestStep, Test } from "../suite/vector.ts";
import type { Action, RequestAction } from "./actions.ts";
import { type Command, Past } from "./past.ts";

/** An action that was played, with its exchanges and the outcomes that were allowed. */
export interface PlayedAction {
  readonly action: Action;
  /** The exchanges of the action itself, without the exchanges that prepare it, such as a sign-in. */
  readonly exchanges: readonly Exchange[];
  /** Names of the outcomes that were allowed for the last exchange. */
  readonly allowed: readonly string[];
  /** First of the model's beliefs before concurrent requests, if the response to one of them is a failure. */
  readonly before?: Belief;
}

/** A response that violates the contract, found by the judge or the model. */
export interface Failure extends Finding {
  readonly exchange: Exchange;
  /** The violated requirement, as a sentence. */
  readonly statement: string;
  /** Names of the allowed outcomes, if the outcome is wrong. */
  readonly allowed?: readonly string[];
}

/** The steps of a case: actions, and commands that refer to earlier actions. */
export type Script = readonly (Action | Command)[];

export class CheckedCase {
  readonly run: VectorRun;
  readonly played: PlayedAction[] = [];
  /** The first failure, which ends the case. */
  failure: Failure | undefined;
  readonly checker: HistoryChecker;
  readonly #past = new Past(() => this.run.conversation.nowMs);
  /** First of the model's beliefs before the requests in flight. */
  #before: Belief | undefined;

  /**
   * @param label text that makes the actors of this case different from those of other cases
   * @param worlds possible clocks and limiters that earlier cases have not ruled out
   */
  constructor(test: Test, context: TestContext, label: string, worlds?: Worlds) {
    const received = (exchange: Exchange, place: StepPlace) => this.#check(exchange, place);
    const vector = { ...test, clock: START, caseValues: {}, steps: [] };
    this.run = new VectorRun(vector, context, label, { observers: [{ received }] });
    this.checker = new HistoryChecker({
      ...{ facts: context.adapter.info.facts, clocks: context.lifetimes.clocks, worlds, incomplete: false },
      started: instant(START_MS),
    });
  }

  /**
   * Plays steps one after the other. Skips actions that depend on a request that the service refused.
   * @throws {ImplementationError}
   */
  async play(script: Script): Promise<void> {
    const { vector, conversation } = this.run;
    await conversation.start(START_MS);
    for (const action of actionsOf(script, this.#past)) {
      const place = { step: String(this.played.length + 1), place: vector.place };
      try {
        const exchanges = await this.#playAction(action, place);
        this.played.push({ action, exchanges, allowed: this.checker.allowed });
      } catch (error) {
        const isLeftOut =
          error instanceof StepFailed || error instanceof SkipVector || error instanceof Unsupported;
        if (!isLeftOut) throw error;
      }
      const { failure } = this;
      if (failure === undefined) continue;
      const inFlight = action.verb === "together" ? action.requests.length : 1;
      const exchanges = failure.step === place.step ? conversation.exchanges.slice(-inFlight) : [];
      const before = this.#before && { before: this.#before };
      this.played.push({ action, exchanges, allowed: failure.allowed ?? [], ...before });
      return;
    }
  }

  async #playAction(action: Action, place: StepPlace): Promise<readonly Exchange[]> {
    const { conversation } = this.run;
    switch (action.verb) {
      case "advance":
        if (action.ms > 0) await conversation.wait(action.ms);
        return [];
      case "restart":
        await conversation.start(conversation.nowMs);
        this.#past.recordRestart();
        this.#step([{ kind: "restart", at: instant(conversation.nowMs) }], place);
        return [];
      case "add-entries":
        await playStoreStep(this.run, { ...action, rules: [], place: place.place }, place);
        return [];
      case "together":
        return this.#playTogether(action.requests, place);
      default: {
        const exchange = await sendStep(this.run, stepOf(action, place), place);
        this.#record(action, exchange);
        return [exchange];
      }
    }
  }

  async #playTogether(actions: readonly RequestAction[], place: StepPlace): Promise<readonly Exchange[]> {
    const requests = [];
    for (const action of actions)
      requests.push(await createStepRequest(this.run, stepOf(action, place), place));
    this.#before = this.checker.belief();
    const exchanges = await Promise.all(
      requests.map((request) => this.run.conversation.send(request, place)),
    );
    for (const [index, action] of actions.entries()) this.#record(action, exchanges[index] as Exchange);
    this.#step(exchanges.map(eventOf), place);
    this.#before = undefined;
    return exchanges;
  }

  #record(action: RequestAction, exchange: Exchange): void {
    this.run.capture(action.as, exchange);
    this.#past.record(action, exchange);
  }

  /** Checks a response, which the judge has judged. @throws {StepFailed} if the response ends the case */
  #check(exchange: Exchange, place: StepPlace): void {
    const [found] = this.run.findingsOf(exchange);
    const isOutcomeChecked = this.#before === undefined && found?.malformed !== true;
    if (isOutcomeChecked) this.#step([eventOf(exchange)], place);
    if (found !== undefined) this.#fail({ ...found, exchange, statement: "each response is well-formed" });
  }

  #step(events: readonly ServiceEvent[], place: StepPlace): void {
    const [violation] = this.checker.step(events.map((event) => ({ event, sentAt: 0, receivedAt: 0 })));
    if (violation === undefined) return;
    const { rules, statement, exchange, expected: allowed } = violation;
    const difference = differenceOf(violation);
    const finding = this.run.addFinding(place, { rules, exchange, difference, malformed: false });
    this.#fail({ ...finding, exchange, statement, allowed });
  }

  #fail(failure: Failure): never {
    this.failure ??= failure;
    throw new StepFailed([failure]);
  }
}

/** Iterates over the actions of a script. Computes each action of a command after the one before was played. */
function* actionsOf(script: Script, past: Past): Generator<Action> {
  for (const step of script)
    if (typeof step === "function") yield* step(past);
    else yield step;
}

const START = "between-seconds";
const START_MS = startTimeMs(START);

export function eventOf(exchange: Exchange): ServiceEvent {
  return { kind: "exchange", exchange, at: instant(exchange.atMs) };
}

function stepOf({ verb, fields }: RequestAction, { place }: StepPlace): RequestStep {
  return { verb, fields, rules: [], place };
}
