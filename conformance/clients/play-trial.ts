/** Plays one trial: gives the client the trial's launches, and records every exchange. */
import { createHash } from "node:crypto";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { readEnvelope } from "../contract/exchange.ts";
import { keyPairOf, privateKeyOf } from "../contract/key-pair.ts";
import { launchMembers } from "../contract/requests.ts";
import type { Fields } from "../data/json.ts";
import { errorText } from "../data/text.ts";
import type { ClientAdapter, RequestHandler } from "./adapters/client-adapter.ts";
import { serveHttp } from "./adapters/http-endpoint.ts";
import { startTimer, TrialClock } from "./adapters/trial-clock.ts";
import { type ClientExchange, type History, type Launch, type LaunchEnd, readRequest } from "./history.ts";
import { type ReferenceModule, SimulatedService } from "./service/simulated-service.ts";
import type { LaunchStep, Trial } from "./trial.ts";

/** Start of every trial: not a whole second, so that rounded times differ from exact ones. */
const START_MS = Date.UTC(2026, 9, 10, 12, 0, 0, 250);
/** Maximum number of requests in one launch. A launch takes four, and a patient client sends a few dozen. */
const MAX_REQUESTS = 100;
/** Number of microtasks that the kit waits between a request and its response. */
const TURNS = 6;
/** Maximum time that a client may wait in one launch, on the clock of the trial. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Deadline that the task states, as a fraction of the timeout. */
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
  /** The kit stops the launch if the trial has this many exchanges for each launch in progress. */
  readonly maxExchanges: number;
  readonly stop: (reason: "timeout" | "request limit") => void;
}

/** Plays a trial once. Never throws because of the client. @param job number of the client process */
export async function playTrial(
  trial: Trial,
  adapter: ClientAdapter,
  job: number,
  { reference, seed, timeoutMs }: PlayOptions,
): Promise<History> {
  const { signedBytes } = adapter.info;
  const clock = new TrialClock();
  const now = () => START_MS + clock.ms;
  const service = new SimulatedService(reference, trial, seed, signedBytes, now);
  const launches: Launch[] = [];
  const exchanges: ClientExchange[] = [];
  const active = new Map<Launch, Limit>();
  /** Number of requests and responses so far. */
  let eventCount = 0;

  /** Handles one request of the client, and records the exchange. */
  const handle: RequestHandler = async (request, delay, isImmediate = false) => {
    if (active.size === 0) throw new Error("no launch is in progress");
    for (const { maxExchanges, stop } of active.values())
      if (exchanges.length >= maxExchanges * active.size) stop("request limit");
    if (adapter.waitsInRealTime && !isImmediate) clock.addRealTime();
    const read = readRequest(request);
    const exchange: ClientExchange = {
      ...read,
      ...readEnvelope(undefined),
      launches: possibleSenders([...active.keys()], service.creatorOf(read)),
      sentIndex: eventCount++,
      atMs: now(),
      answeredIndex: Number.POSITIVE_INFINITY,
      answeredAtMs: Number.POSITIVE_INFINITY,
      fault: {},
    };
    exchanges.push(exchange);
    for (const launch of exchange.launches) launch.exchanges.push(exchange);
    const update = (changes: Partial<ClientExchange>) => Object.assign(exchange, changes);
    // Waits, so that all concurrent requests of a client arrive before the first response.
    for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
    const { response, fault } = service.respond(read);
    update({ fault });
    if (response !== undefined && response.delayMs > 0) await delay(response.delayMs);
    update({ ...readEnvelope(response?.envelope), answeredIndex: eventCount++, answeredAtMs: now() });
    clock.markEvent();
    return response;
  };

  /** Returns the task of a launch (client protocol, "launch"). */
  const taskOf = ({ id, step, creator: { address }, secretKey, input }: Launch, baseUrl: string) => {
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
      nowMs: Math.floor(now()),
      deadlineMs: timeoutMs === 0 ? LONG_DEADLINE_MS : timeoutMs * DEADLINE_FRACTION,
      retryAfterScale: adapter.waitScale,
    };
  };

  /** Gives the client one launch, and waits until it ends or the kit stops it. */
  const perform = async (step: LaunchStep, url: string): Promise<void> => {
    const launch = launchOf(step, service, eventCount);
    launches.push(launch);
    const startedAtMs = clock.ms;
    clock.markEvent();
    const controller = new AbortController();
    const { signal } = controller;
    launch.end = await new Promise<LaunchEnd>((resolve) => {
      const stop: Limit["stop"] = (reason) => {
        controller.abort();
        resolve({ kind: reason });
      };
      const stopTimer = startTimer(timeoutMs, () => stop("timeout"));
      signal.addEventListener("abort", stopTimer);
      active.set(launch, { maxExchanges: exchanges.length + MAX_REQUESTS, stop });
      const sleep = async (ms: number) => {
        if (clock.ms + ms - startedAtMs > MAX_WAIT_MS) stop("timeout");
        await clock.sleep(ms);
      };
      adapter.perform(taskOf(launch, url), { handle, sleep, now, signal }, job).then(
        (result) => resolve({ kind: "result", result }),
        (error: unknown) => resolve({ kind: "error", reason: errorText(error) }),
      );
    });
    controller.abort();
    active.delete(launch);
  };

  const endpoint = adapter.usesHttp ? await serveHttp(handle) : undefined;
  const url = endpoint?.url ?? unusedUrl();
  try {
    for (const step of trial.script) {
      if (step.kind === "advance") clock.ms += step.ms;
      else if (step.kind === "restart") service.restart();
      else await Promise.all(step.launches.map((launch) => perform(launch, url)));
      if (launches.some(({ end }) => end.kind !== "result")) break;
    }
  } finally {
    endpoint?.close();
  }
  const { missingFaults, facts } = service;
  return { launches, exchanges, signedBytes, waitScale: adapter.waitScale, missingFaults, facts };
}

/** Returns the active launches of the creator that a request names, or all if that creator has no launch. */
function possibleSenders(active: readonly Launch[], creator: unknown): readonly Launch[] {
  const ofCreator = active.filter((launch) => launch.creator.address === creator);
  return ofCreator.length > 0 ? ofCreator : active;
}

function launchOf(step: LaunchStep, service: SimulatedService, startIndex: number): Launch {
  const { actor, index, token } = step;
  const creator = service.actor(actor);
  const digest = createHash("sha256")
    .update(service.labelOf(`${index}`))
    .digest("hex");
  const mint = keyPairOf(service.labelOf(`mint ${index}`)).address;
  const usual = launchMembers(creator.address, mint, service.facts.metadataHosts[0]);
  return {
    id: `launch-${digest.slice(0, 16)}`,
    step,
    creator,
    secretKey: Buffer.concat([privateKeyOf(service.labelOf(actor)), creator.publicKey]),
    input: service.fillIn({ ...usual, ...token } as Fields) as Fields,
    startIndex,
    exchanges: [],
    end: { kind: "timeout" },
  };
}

let urlCount = 0;

/** Returns a different URL for each trial, because a client may cache facts about a service by its URL. */
function unusedUrl(): string {
  return `http://127.0.0.1:${1025 + (urlCount++ % 58_975)}`;
}
