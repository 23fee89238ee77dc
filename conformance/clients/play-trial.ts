/** Plays one trial: gives the client its launches and records every exchange. */
import { createHash } from "node:crypto";
import type { Fields, JsonObject } from "../adapters/json.ts";
import { errorText } from "../adapters/text.ts";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import type { Contract } from "../contract/contract.ts";
import { keyPairOf, privateKeyOf } from "../contract/key-pair.ts";
import { launchMembers } from "../contract/requests.ts";
import type {
  ClientAdapter,
  ClientConnection,
  LaunchContext,
  RequestHandler,
} from "./adapters/client-adapter.ts";
import { type Endpoint, serveHttp } from "./adapters/http-endpoint.ts";
import { startTimer, TrialClock } from "./adapters/trial-clock.ts";
import { type ClientExchange, type History, type Launch, type LaunchEnd, readRequest } from "./history.ts";
import { type ReferenceModule, SimulatedService } from "./service/simulated-service.ts";
import type { LaunchStep, Trial } from "./trial.ts";

/** Start of every trial: not a whole second, so that rounded times differ from exact ones. */
const START_MS = Date.UTC(2026, 9, 10, 12, 0, 0, 250);
/** Maximum number of requests in one launch. A launch takes four, and a patient client sends a few dozen. */
const MAX_REQUESTS = 100;
/** Longest time that a client may wait in one launch, on a clock that takes no real time. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Fraction of the timeout that the task states as its deadline. */
const DEADLINE_FRACTION = 0.8;
/** Deadline that the task states if there is no timeout, in ms. */
const LONG_DEADLINE_MS = 3_600_000;

export interface PlayOptions {
  readonly contract: Contract;
  readonly reference: ReferenceModule;
  /** Seed of all keys. */
  readonly seed: number;
  /** Limit of real time for one launch, in ms; 0 for none. */
  readonly timeoutMs: number;
}

/** Launch in progress. */
interface ActiveLaunch {
  readonly launch: Launch;
  /** Number of exchanges in the trial at which the kit stops the launch, if no other is in progress. */
  readonly maxExchanges: number;
  readonly stop: (reason: "timeout" | "request limit") => void;
}

/** Plays a trial. Never throws because of the client. */
export async function playTrial(
  trial: Trial,
  adapter: ClientAdapter,
  connection: ClientConnection,
  options: PlayOptions,
): Promise<History> {
  const clock = new TrialClock(adapter.waitsInRealTime);
  const service = await SimulatedService.start({
    reference: options.reference,
    trial,
    seed: options.seed,
    clientNow: () => START_MS + clock.ms,
    signedBytes: adapter.info.signedBytes,
  });
  return new TrialRun(trial, adapter, connection, options, clock, service).play();
}

class TrialRun {
  readonly #trial: Trial;
  readonly #adapter: ClientAdapter;
  readonly #connection: ClientConnection;
  readonly #options: PlayOptions;
  readonly #clock: TrialClock;
  readonly #service: SimulatedService;
  /** Text that makes the IDs and mints of this trial differ from those of other trials. */
  readonly #label: string;
  readonly #launches: Launch[] = [];
  readonly #exchanges: ClientExchange[] = [];
  readonly #activeLaunches = new Set<ActiveLaunch>();
  /** Number of requests and responses so far. */
  #eventCount = 0;

  constructor(
    trial: Trial,
    adapter: ClientAdapter,
    connection: ClientConnection,
    options: PlayOptions,
    clock: TrialClock,
    service: SimulatedService,
  ) {
    this.#trial = trial;
    this.#adapter = adapter;
    this.#connection = connection;
    this.#options = options;
    this.#clock = clock;
    this.#service = service;
    this.#label = `client ${options.seed} ${trial.id}`;
  }

  async play(): Promise<History> {
    const endpoint = this.#adapter.usesHttp ? await serveHttp(this.#handle) : unusedEndpoint();
    try {
      for (const step of this.#trial.script) {
        if (step.kind === "advance") this.#clock.advance(step.ms);
        else if (step.kind === "restart") await this.#service.restart();
        else await Promise.all(step.launches.map((launch) => this.#perform(launch, endpoint.url)));
        if (this.#launches.some(({ end }) => end.kind !== "result")) break;
      }
    } finally {
      endpoint.close();
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
  readonly #handle: RequestHandler = async (request, { delay, isImmediate }) => {
    if (this.#activeLaunches.size === 0) throw new Error("no launch is in progress");
    this.#enforceRequestLimit();
    if (!isImmediate) this.#clock.addRealTime();
    const read = readRequest(request.method, request.path, request.headers, request.bytes);
    const exchange: ClientExchange = {
      ...read,
      launches: this.#possibleSenders(this.#service.creatorOf(read)),
      sentIndex: this.#eventCount++,
      atMs: this.#nowMs,
      answeredIndex: Number.POSITIVE_INFINITY,
      answeredAtMs: Number.POSITIVE_INFINITY,
      envelope: undefined,
      status: undefined,
      body: {},
      fault: {},
    };
    this.#exchanges.push(exchange);
    // Requests that a client sends concurrently all arrive before the first response.
    await Promise.resolve();
    const { response, fault } = await this.#service.respond(read);
    exchange.fault = fault;
    if (response !== undefined && response.delayMs > 0) await delay(response.delayMs);
    if (response !== undefined) {
      const { status, body } = response;
      exchange.envelope = { status, body };
      exchange.status = status;
      exchange.body = body;
    }
    exchange.answeredIndex = this.#eventCount++;
    exchange.answeredAtMs = this.#nowMs;
    this.#clock.markEvent();
    return response;
  };

  #enforceRequestLimit(): void {
    for (const { maxExchanges, stop } of this.#activeLaunches)
      if (this.#exchanges.length >= maxExchanges * this.#activeLaunches.size) stop("request limit");
  }

  #possibleSenders(creator: unknown): readonly Launch[] {
    const active = [...this.#activeLaunches].map(({ launch }) => launch);
    const ofCreator = active.filter((launch) => launch.creator.address === creator);
    return ofCreator.length > 0 ? ofCreator : active;
  }

  /** Gives the client one launch, and waits until it ends or the kit stops it. */
  async #perform(step: LaunchStep, url: string): Promise<void> {
    const { launch, task } = this.#launchOf(step);
    this.#launches.push(launch);
    const startedAtMs = this.#clock.ms;
    this.#clock.markEvent();
    const controller = new AbortController();
    const end = new Promise<LaunchEnd>((resolve) => {
      const stop = (reason: "timeout" | "request limit") => {
        controller.abort();
        resolve({ kind: reason });
      };
      const endTimer = startTimer(this.#options.timeoutMs, () => stop("timeout"));
      controller.signal.addEventListener("abort", endTimer);
      const maxExchanges = this.#exchanges.length + MAX_REQUESTS;
      this.#activeLaunches.add({ launch, maxExchanges, stop });
      const context: LaunchContext = {
        handle: this.#handle,
        sleep: async (ms) => {
          if (this.#clock.ms + ms - startedAtMs > MAX_WAIT_MS) stop("timeout");
          await this.#clock.sleep(ms);
        },
        now: () => this.#nowMs,
        signal: controller.signal,
      };
      this.#connection.perform(this.#taskMessage(task, url), context).then(
        (result) => resolve({ kind: "result", result }),
        (error: unknown) => resolve({ kind: "error", reason: errorText(error) }),
      );
    });
    launch.end = await end;
    controller.abort();
    for (const active of this.#activeLaunches)
      if (active.launch === launch) this.#activeLaunches.delete(active);
  }

  /** Returns a launch and the part of its task that does not depend on the run. */
  #launchOf(step: LaunchStep): { readonly launch: Launch; readonly task: JsonObject } {
    const { actor, index, token, isRepeat } = step;
    const creator = this.#service.actor(actor);
    const digest = createHash("sha256").update(`${this.#label} ${index}`).digest("hex");
    const id = `launch-${digest.slice(0, 16)}`;
    const mint = keyPairOf(`${this.#label} mint ${index}`).address;
    const usual = launchMembers(creator.address, mint, this.#service.facts.metadataHosts[0]);
    const input = this.#service.fillIn({ ...usual, ...token } as Fields) as Fields;
    const { creator: _, ...filledToken } = input;
    const secretKey = Buffer.concat([privateKeyOf(this.#service.labelOf(actor)), creator.publicKey]);
    return {
      launch: {
        id,
        step,
        creator,
        secretKey,
        input,
        startIndex: this.#eventCount,
        end: { kind: "timeout" },
      },
      task: {
        task: "launch",
        id,
        ...(isRepeat ? { again: true } : {}),
        creator: { address: creator.address, secretKeyBase64: secretKey.toString("base64") },
        token: filledToken,
      },
    };
  }

  /** Returns a task as the client gets it (client protocol, "launch"). */
  #taskMessage(task: JsonObject, url: string): JsonObject {
    const { timeoutMs } = this.#options;
    return {
      protocol: 1,
      contract: SERVED_CONTRACT.version,
      ...task,
      baseUrl: url,
      nowMs: Math.floor(this.#nowMs),
      deadlineMs: timeoutMs === 0 ? LONG_DEADLINE_MS : timeoutMs * DEADLINE_FRACTION,
      retryAfterScale: this.#adapter.waitScale,
    };
  }
}

const FIRST_PORT = 1024;
const LAST_PORT = 60_000;
let nextPort = FIRST_PORT;

/** Returns a different URL for each trial, because a client may cache facts about a service by its URL. */
function unusedEndpoint(): Endpoint {
  nextPort = nextPort > LAST_PORT ? FIRST_PORT : nextPort + 1;
  return { url: `http://127.0.0.1:${nextPort}`, close: () => {} };
}
