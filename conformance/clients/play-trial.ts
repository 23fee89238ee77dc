/** Plays one trial: gives the client the trial's launches, and records every exchange. */
import { createHash } from "node:crypto";
import { SERVED_CONTRACT } from "../contract/constants.ts";
import { readEnvelope } from "../contract/exchange.ts";
import { keyPairOf, privateKeyOf } from "../contract/key-pair.ts";
import { launchMembers } from "../contract/requests.ts";
import type { Fields } from "../data/json.ts";
import { errorText } from "../data/text.ts";
import { entryId } from "../suite/vector.ts";
import type { ClientAdapter, RequestHandler } from "./adapters/client-adapter.ts";
import { serveHttp } from "./adapters/http-endpoint.ts";
import { startStopwatch, startTimer, TrialClock } from "./adapters/trial-clock.ts";
import {
  type ClientExchange,
  type History,
  type Launch,
  type LaunchEnd,
  readRequest,
  type SentRequest,
} from "./history.ts";
import type { ClientResponse } from "./service/response.ts";
import { type ReferenceModule, SimulatedService } from "./service/simulated-service.ts";
import type { LaunchStep, Trial } from "./trial.ts";

/** Maximum number of requests in one launch. A launch takes four, and a patient client sends a few dozen. */
const MAX_REQUESTS = 100;
/** Number of characters to keep from the end of standard error. */
const MAX_LOG_LENGTH = 100_000;
/** Number of microtasks that the kit waits between a request and its response. */
const TURNS = 6;
/** Maximum time that a client may wait in one launch, on the clock of the trial. Far later than any deadline. */
const MAX_WAIT_MS = 30 * 60_000;
/** Deadline that the task states, as a fraction of the timeout. */
const DEADLINE_FRACTION = 0.8;
/** Deadline that the task states if there is no timeout, in ms. */
const LONG_DEADLINE_MS = 3_600_000;
/** Response to a request that does not reach the simulated service. */
const NOT_FOUND: ClientResponse = {
  envelope: { status: 404, body: {} },
  headers: {},
  text: "{}",
  delayMs: 0,
};

export interface PlayOptions {
  readonly reference: ReferenceModule;
  readonly seed: number;
  /** Limit of real time for one launch, in ms; 0 for none. */
  readonly timeoutMs: number;
  /** Time at which the trial starts, in ms since the Unix epoch. */
  readonly startMs: number;
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
  { reference, seed, timeoutMs, startMs }: PlayOptions,
): Promise<History> {
  const { signedBytes } = adapter.info;
  const clock = new TrialClock(adapter.usesHttp);
  const now = () => startMs + clock.ms;
  const clientNow = () => startMs + clock.clientMs;
  const usualDeadlineMs = timeoutMs === 0 ? LONG_DEADLINE_MS : timeoutMs * DEADLINE_FRACTION;
  const deadlineMs = Math.min(trial.deadlineMs ?? usualDeadlineMs, usualDeadlineMs);
  const service = new SimulatedService(reference, trial, seed, signedBytes, now);
  const launches: Launch[] = [];
  const exchanges: ClientExchange[] = [];
  const active = new Map<Launch, Limit>();
  let log = "";
  const onLog = (text: string) => {
    log = (log + text).slice(-MAX_LOG_LENGTH);
  };
  /** Number of requests and responses so far. */
  let eventCount = 0;

  const record = (request: SentRequest, isImmediate: boolean): ClientExchange => {
    if (active.size === 0) throw new Error("no launch is in progress");
    for (const { maxExchanges, stop } of active.values())
      if (exchanges.length >= maxExchanges * active.size) stop("request limit");
    if (!isImmediate) clock.addRealTime();
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
    return exchange;
  };

  /** Records the response to a request, or that there is none, and releases it. */
  const release = (exchange: ClientExchange, response: ClientResponse | undefined) => {
    const envelope = readEnvelope(response?.breaks === undefined ? response?.envelope : undefined);
    const half = response?.breaks !== undefined &&
      response.breaks !== "answer" && { halfStatus: response.envelope.status };
    Object.assign(exchange, { ...envelope, ...half, answeredIndex: eventCount++, answeredAtMs: now() });
    clock.markEvent();
    return response;
  };

  /** Handles one request of the client, and records the exchange. */
  const handle: RequestHandler = async (request, delay, isImmediate = false) => {
    const exchange = record(request, isImmediate);
    // Waits, so that all concurrent requests of a client arrive before the first response.
    for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
    const steps = exchange.launches.map(({ step }) => step.step);
    const { response, fault } = service.respond(exchange, steps);
    Object.assign(exchange, { fault });
    if (response !== undefined && response.delayMs > 0) await delay(response.delayMs);
    const target = fault.redirect && targets?.[fault.redirect];
    const headers = { ...response?.headers, ...(target && { location: target + exchange.request.path }) };
    return release(exchange, response && { ...response, headers });
  };

  /** Refuses a request to another host, or to a path that is not below the base URL, and records it. */
  const refuse: RequestHandler = async (request, _, isImmediate = false) =>
    release(record(request, isImmediate), NOT_FOUND);

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
      nowMs: Math.floor(clientNow()),
      deadlineMs,
      retryAfterScale: adapter.waitScale,
    };
  };

  /** Gives the client one launch, and waits until it ends or the kit stops it. */
  const perform = async (step: LaunchStep, url: string): Promise<void> => {
    const launch = launchOf(step, service, eventCount);
    launches.push(launch);
    const startedAtMs = clock.ms;
    const getDurationMs = startStopwatch();
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
      const context = { handle, sleep, now: clientNow, endsAtMs: clientNow() + deadlineMs, onLog, signal };
      adapter.perform(taskOf(launch, url), context, job).then(
        (result) => resolve({ kind: "result", result }),
        (error: unknown) => resolve({ kind: "error", reason: errorText(error) }),
      );
    });
    launch.durationMs = getDurationMs();
    launch.isPastDeadline = trial.deadlineMs === undefined && launch.durationMs >= deadlineMs;
    controller.abort();
    active.delete(launch);
  };

  const hasRedirect = trial.faults.some(({ fault }) => fault.redirect !== undefined);
  const host = hostOf(trial);
  const endpoint = adapter.usesHttp ? await serveHttp(handle, refuse, trial.basePath, host.port) : undefined;
  const elsewhere = endpoint && hasRedirect ? await serveHttp(undefined, refuse) : undefined;
  const url = endpoint?.url ?? `http://127.0.0.1:${host.port ?? unusedPort()}${trial.basePath}`;
  host.port = Number(new URL(url).port);
  /** Start of the URL to which each kind of redirect leads. */
  const targets = elsewhere && {
    same: url,
    port: elsewhere.url,
    host: elsewhere.url.replace("127.0.0.1", "localhost"),
  };
  try {
    for (const step of trial.script) {
      if (step.kind === "advance") clock.ms += step.ms;
      else if (step.kind === "restart") service.restart();
      else await Promise.all(step.launches.map((launch) => perform(launch, url)));
      if (launches.some(({ end }) => end.kind !== "result")) break;
    }
  } finally {
    endpoint?.close();
    elsewhere?.close();
  }
  const { missingFaults, facts } = service;
  return {
    launches,
    exchanges,
    signedBytes,
    waitScale: adapter.waitScale,
    missingFaults,
    log,
    isDelayed: false,
    facts,
  };
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
  const id = step.id === undefined ? `launch-${digest.slice(0, 16)}` : service.idOf(step.id);
  return {
    id,
    step,
    creator,
    secretKey: Buffer.concat([privateKeyOf(service.labelOf(actor)), creator.publicKey]),
    input: service.fillIn({ ...usual, ...token } as Fields) as Fields,
    startIndex,
    exchanges: [],
    end: { kind: "timeout" },
    durationMs: 0,
    isPastDeadline: false,
  };
}

/** A host and port, and the base paths of the services that had them. */
interface Host {
  port?: number;
  readonly paths: Set<string>;
}

/** The latest host of each vector with base paths. */
const hosts = new Map<string, Host>();
let portCount = 0;

/**
 * Returns the host of a trial. A client may cache facts about a service by its URL, so each play has a different
 * URL. The cases of a vector with base paths differ only in the path.
 */
function hostOf(trial: Trial): Host {
  const { basePath } = trial;
  const known = hosts.get(entryId(trial));
  const host = known?.paths.has(basePath) === false ? known : { paths: new Set<string>() };
  host.paths.add(basePath);
  if (basePath !== "") hosts.set(entryId(trial), host);
  return host;
}

/** Returns a port for a service that is not reached over HTTP. */
function unusedPort(): number {
  return 1025 + (portCount++ % 58_975);
}
