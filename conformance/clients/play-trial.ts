/** Plays one trial: gives the client its launches and records every exchange. */
import { createHash } from "node:crypto";
import type { Fields, JsonObject } from "../adapters/json.ts";
import { errorText } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { readEnvelope } from "../contract/exchange.ts";
import { keyPairOf, privateKeyOf } from "../contract/key-pair.ts";
import { launchMembers } from "../contract/requests.ts";
import type { ClientAdapter, LaunchContext, RequestHandler } from "./adapters/client-adapter.ts";
import { serveHttp } from "./adapters/http-endpoint.ts";
import { startTimer, TrialClock } from "./adapters/trial-clock.ts";
import { type ClientExchange, type History, type Launch, type LaunchEnd, readRequest } from "./history.ts";
import { type ReferenceModule, SimulatedService } from "./service/simulated-service.ts";
import type { LaunchStep, Trial } from "./trial.ts";

/** Start of every trial: not a whole second, so that rounded times differ from exact ones. */
const START_MS = Date.UTC(2026, 9, 10, 12, 0, 0, 250);
/** Maximum number of requests in one launch. A launch takes four, and a patient client sends a few dozen. */
const MAX_REQUESTS = 100;
/** Number of microtasks between a request and its response in the same process. */
const TURNS = 6;
/** Longest time that a client may wait in one launch, on a clock that takes no real time. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Fraction of the timeout that the task states as its deadline. */
const DEADLINE_FRACTION = 0.8;
/** Deadline that the task states if there is no timeout, in ms. */
const LONG_DEADLINE_MS = 3_600_000;

export interface PlayOptions {
  readonly reference: ReferenceModule;
  /** Seed of all keys. */
  readonly seed: number;
  /** Limit of real time for one launch, in ms; 0 for none. */
  readonly timeoutMs: number;
}

/** How the kit stops a launch in progress. */
interface Limit {
  /** Number of exchanges in the trial at which the kit stops the launch, if no other is in progress. */
  readonly maxExchanges: number;
  readonly stop: (reason: "timeout" | "request limit") => void;
}

/** Plays a trial once. */
export class TrialRun {
  readonly #trial: Trial;
  readonly #adapter: ClientAdapter;
  readonly #job: number;
  readonly #timeoutMs: number;
  readonly #clock = new TrialClock();
  readonly #service: SimulatedService;
  /** Text that makes the IDs and mints of this trial differ from those of other trials. */
  readonly #label: string;
  readonly #launches: Launch[] = [];
  readonly #exchanges: ClientExchange[] = [];
  readonly #active = new Map<Launch, Limit>();
  /** Number of requests and responses so far. */
  #eventCount = 0;

  /** @param job number of the process of the client */
  constructor(trial: Trial, adapter: ClientAdapter, job: number, options: PlayOptions) {
    const { reference, seed, timeoutMs } = options;
    const { signedBytes } = adapter.info;
    this.#trial = trial;
    this.#adapter = adapter;
    this.#job = job;
    this.#timeoutMs = timeoutMs;
    this.#service = new SimulatedService(reference, trial, seed, signedBytes, () => this.#nowMs);
    this.#label = `client ${seed} ${trial.id}`;
  }

  /** Never throws because of the client. */
  async play(): Promise<History> {
    const endpoint = this.#adapter.usesHttp ? await serveHttp(this.#handle) : undefined;
    const url = endpoint?.url ?? unusedUrl();
    try {
      for (const step of this.#trial.script) {
        if (step.kind === "advance") this.#clock.ms += step.ms;
        else if (step.kind === "restart") this.#service.restart();
        else await Promise.all(step.launches.map((launch) => this.#perform(launch, url)));
        if (this.#launches.some(({ end }) => end.kind !== "result")) break;
      }
    } finally {
      endpoint?.close();
    }
    return {
      launches: this.#launches,
      exchanges: this.#exchanges,
      signedBytes: this.#adapter.info.signedBytes,
      waitScale: this.#adapter.waitScale,
      missingFaults: this.#service.missingFaults,
      facts: this.#service.facts,
    };
  }

  get #nowMs(): number {
    return START_MS + this.#clock.ms;
  }

  /** Handles one request of the client, and records the exchange. */
  readonly #handle: RequestHandler = async (request, delay, isImmediate = false) => {
    if (this.#active.size === 0) throw new Error("no launch is in progress");
    for (const { maxExchanges, stop } of this.#active.values())
      if (this.#exchanges.length >= maxExchanges * this.#active.size) stop("request limit");
    if (this.#adapter.waitsInRealTime && !isImmediate) this.#clock.addRealTime();
    const read = readRequest(request);
    const exchange: ClientExchange = {
      ...read,
      ...readEnvelope(undefined),
      launches: this.#possibleSenders(this.#service.creatorOf(read)),
      sentIndex: this.#eventCount++,
      atMs: this.#nowMs,
      answeredIndex: Number.POSITIVE_INFINITY,
      answeredAtMs: Number.POSITIVE_INFINITY,
      fault: {},
    };
    this.#exchanges.push(exchange);
    for (const launch of exchange.launches) launch.exchanges.push(exchange);
    const update = (changes: Partial<ClientExchange>) => Object.assign(exchange, changes);
    // Requests that a client sends concurrently all arrive before the first response.
    for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
    const { response, fault } = this.#service.respond(read);
    update({ fault });
    if (response !== undefined && response.delayMs > 0) await delay(response.delayMs);
    update(readEnvelope(response?.envelope));
    update({ answeredIndex: this.#eventCount++, answeredAtMs: this.#nowMs });
    this.#clock.markEvent();
    return response;
  };

  #possibleSenders(creator: unknown): readonly Launch[] {
    const active = [...this.#active.keys()];
    const ofCreator = active.filter((launch) => launch.creator.address === creator);
    return ofCreator.length > 0 ? ofCreator : active;
  }

  /** Gives the client one launch, and waits until it ends or the kit stops it. */
  async #perform(step: LaunchStep, url: string): Promise<void> {
    const launch = this.#launchOf(step);
    this.#launches.push(launch);
    const startedAtMs = this.#clock.ms;
    this.#clock.markEvent();
    const controller = new AbortController();
    const { signal } = controller;
    launch.end = await new Promise<LaunchEnd>((resolve) => {
      const stop: Limit["stop"] = (reason) => {
        controller.abort();
        resolve({ kind: reason });
      };
      const stopTimer = startTimer(this.#timeoutMs, () => stop("timeout"));
      signal.addEventListener("abort", stopTimer);
      this.#active.set(launch, { maxExchanges: this.#exchanges.length + MAX_REQUESTS, stop });
      const context: LaunchContext = {
        handle: this.#handle,
        sleep: async (ms) => {
          if (this.#clock.ms + ms - startedAtMs > MAX_WAIT_MS) stop("timeout");
          await this.#clock.sleep(ms);
        },
        now: () => this.#nowMs,
        signal,
      };
      this.#adapter.perform(this.#taskOf(launch, url), context, this.#job).then(
        (result) => resolve({ kind: "result", result }),
        (error: unknown) => resolve({ kind: "error", reason: errorText(error) }),
      );
    });
    controller.abort();
    this.#active.delete(launch);
  }

  #launchOf(step: LaunchStep): Launch {
    const { actor, index, token } = step;
    const creator = this.#service.actor(actor);
    const digest = createHash("sha256").update(`${this.#label} ${index}`).digest("hex");
    const mint = keyPairOf(`${this.#label} mint ${index}`).address;
    const usual = launchMembers(creator.address, mint, this.#service.facts.metadataHosts[0]);
    return {
      id: `launch-${digest.slice(0, 16)}`,
      step,
      creator,
      secretKey: Buffer.concat([privateKeyOf(this.#service.labelOf(actor)), creator.publicKey]),
      input: this.#service.fillIn({ ...usual, ...token } as Fields) as Fields,
      startIndex: this.#eventCount,
      exchanges: [],
      end: { kind: "timeout" },
    };
  }

  /** Returns the task of a launch (client protocol, "launch"). */
  #taskOf({ id, step, creator: { address }, secretKey, input }: Launch, baseUrl: string): JsonObject {
    const { creator: _, ...token } = input;
    return {
      protocol: 1,
      contract: SERVED_CONTRACT.version,
      task: "launch",
      id,
      ...(step.isRepeat && { again: true }),
      creator: { address, secretKeyBase64: secretKey.toString("base64") },
      token,
      baseUrl,
      nowMs: Math.floor(this.#nowMs),
      deadlineMs: this.#timeoutMs === 0 ? LONG_DEADLINE_MS : this.#timeoutMs * DEADLINE_FRACTION,
      retryAfterScale: this.#adapter.waitScale,
    };
  }
}

let urlCount = 0;

/** Returns a different URL for each trial, because a client may cache facts about a service by its URL. */
function unusedUrl(): string {
  return `http://127.0.0.1:${1025 + (urlCount++ % 58_975)}`;
}
