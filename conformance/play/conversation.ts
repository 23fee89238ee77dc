import { type Adapter, ImplementationError, type Request, type Service } from "../adapters/adapter.ts";
import { OUTCOMES, operationOf } from "../contract/constants.ts";
import { describeResponse, type Exchange, readEnvelope, readInput } from "../contract/exchange.ts";
import { cutText } from "../data/text.ts";
import type { StepPlace } from "./result.ts";

/** Maximum delay at the end of a wait on a real clock, in ms. */
export const MAX_OVERSHOOT_MS = 500;
/** Maximum latency of a response after a wait on a real clock, in ms. */
export const MAX_LATENCY_MS = 250;
/** Maximum total time of the requests on a real clock, in ms, if the expectations depend on time. */
const MAX_REQUESTS_MS = 3_000;

/** Observes a conversation. Each method is called after the event, in the order of the observers. */
export interface Observer {
  /** A service was started, with empty state. @param nowMs its start time, in ms since the Unix epoch */
  started?(nowMs: number): void;
  /** @param fromMs start of the wait, in ms since the Unix epoch @param ms its duration */
  waited?(fromMs: number, ms: number): void;
  /** A response was received. @throws {StepFailed} to end the conversation */
  received?(exchange: Exchange, place: StepPlace): void;
  /** All requests have got their responses. */
  settled?(): void;
}

/** Maximum number of texts that {@link Conversation.eventsBefore} returns. */
const MAX_EVENTS = 4;
/** Maximum length of a path in such a text, in UTF-16 code units. */
const MAX_PATH = 60;

/** A conversation with a service: starts the service, sends requests, waits, and informs observers. */
export class Conversation {
  /** All exchanges, in the order of their responses. */
  readonly exchanges: Exchange[] = [];
  /** The exchanges, and a description of each restart and wait between them. */
  readonly #events: (Exchange | string)[] = [];
  readonly #adapter: Pick<Adapter, "start" | "bytesToSign">;
  readonly #observers: readonly Observer[];
  #service: Service | undefined;
  /** Time of the first start, in ms since the Unix epoch. */
  #startMs = 0;
  /** Time that passed in waits and restarts, in ms. */
  #waitedMs = 0;
  #inFlight = 0;

  constructor(adapter: Pick<Adapter, "start" | "bytesToSign">, observers: readonly Observer[]) {
    this.#adapter = adapter;
    this.#observers = observers;
  }

  /** The time of the service's clock, in ms since the Unix epoch. */
  get nowMs(): number {
    return this.#started.nowMs;
  }

  /** Time since the first start, in ms. */
  get elapsedMs(): number {
    return this.nowMs - this.#startMs;
  }

  get #started(): Service {
    if (this.#service === undefined) throw new Error("start() must be called first");
    return this.#service;
  }

  /** Starts a service with empty state, and ends the previous one. @throws {ImplementationError} */
  async start(nowMs: number): Promise<void> {
    const stoppedMs = this.#service?.nowMs;
    await this.close();
    this.#service = await this.#adapter.start(nowMs);
    if (stoppedMs !== undefined) this.#events.push("restart");
    this.#startMs ||= this.nowMs;
    this.#waitedMs += this.nowMs - (stoppedMs ?? this.nowMs);
    for (const observer of this.#observers) observer.started?.(nowMs);
  }

  /** Moves a virtual clock, or waits on a real one. @param ms duration, in ms */
  async wait(ms: number): Promise<void> {
    const fromMs = this.nowMs;
    await this.#started.advance(ms);
    const waitedMs = this.nowMs - fromMs;
    // If the machine pauses during a wait, entries that the test needs can expire. So the excess counts as slow.
    this.#waitedMs += Math.min(waitedMs, ms + MAX_OVERSHOOT_MS);
    if (waitedMs > 0) this.#events.push(`wait of ${waitedMs / 1000} s`);
    for (const observer of this.#observers) observer.waited?.(fromMs, waitedMs);
  }

  /** Sends a request. @throws {ImplementationError | Unsupported | StepFailed} */
  async send(request: Request, place: StepPlace): Promise<Exchange> {
    this.#inFlight += 1;
    try {
      const exchange = await this.#exchange(request);
      this.exchanges.push(exchange);
      this.#events.push(exchange);
      for (const observer of this.#observers) observer.received?.(exchange, place);
      return exchange;
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const observer of this.#observers) observer.settled?.();
    }
  }

  async #exchange(request: Request): Promise<Exchange> {
    const operation = operationOf(request);
    const atMs = this.nowMs;
    const handled = this.#started.handle(request).catch((error: unknown) => {
      if (error instanceof ImplementationError)
        error.details = { request, before: this.eventsBefore(), ...error.details };
      throw error;
    });
    const response = readEnvelope(await handled);
    const answeredAtMs = this.nowMs;
    const { message } = response.body;
    const isChallenge = operation === "challenge" && response.status === 200 && typeof message === "string";
    const signed = isChallenge ? { signed: await this.#adapter.bytesToSign(message) } : {};
    return { operation, request, input: readInput(request.body), ...response, ...signed, atMs, answeredAtMs };
  }

  /** Describes the last events before an exchange or, without one, before now. Equal events are one text. */
  eventsBefore(exchange?: Exchange): readonly string[] {
    const end = exchange === undefined ? this.#events.length : this.#events.lastIndexOf(exchange);
    const groups: { readonly text: string; count: number }[] = [];
    for (let index = end - 1; index >= 0 && groups.length <= MAX_EVENTS; index--) {
      const event = this.#events[index] as Exchange | string;
      if (typeof event !== "string" && isUsualProfile(event)) continue;
      const text = typeof event === "string" ? event : describeExchange(event);
      if (groups[0]?.text === text) groups[0].count += 1;
      else groups.unshift({ text, count: 1 });
    }
    const texts = groups.map(({ text, count }) => (count === 1 ? text : `${count} × ${text}`));
    return texts.length > MAX_EVENTS ? ["…", ...texts.slice(-MAX_EVENTS)] : texts;
  }

  /** Returns whether responses took so long that an entry may have expired. False on a virtual clock. */
  isTooSlow(exchange: Exchange | undefined): boolean {
    const latencyMs = exchange === undefined ? 0 : exchange.answeredAtMs - exchange.atMs;
    const hasWaited = this.#waitedMs > 0;
    return this.elapsedMs - this.#waitedMs > MAX_REQUESTS_MS || (hasWaited && latencyMs > MAX_LATENCY_MS);
  }

  /** Ends the service, if one was started. @throws {ImplementationError} */
  async close(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.close();
  }
}

/** Returns whether an exchange only reads the profile, as the kit does after each start. */
function isUsualProfile({ operation, status }: Exchange): boolean {
  return operation === "platform" && status === OUTCOMES.success.status;
}

function describeExchange(exchange: Exchange): string {
  const { method, path } = exchange.request;
  return `${method} ${cutText(path, MAX_PATH)} gets ${describeResponse(exchange)}`;
}
