/** The adapter protocol: JSON-RPC 2.0 messages, and a service that they control over any transport. */
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, show } from "../data/json.ts";
import { escapeText, shownFrames } from "../data/text.ts";
import {
  exactBody,
  type FailureDetails,
  ImplementationError,
  type ImplementationInfo,
  ImplementationLost,
  type MachineClock,
  type Request,
  type Service,
  Unsupported,
} from "./adapter.ts";
import { readInfo } from "./info.ts";

/** The version of the adapter protocol that the kit speaks. */
const PROTOCOL = 1;
/** Time limit of `initialize`, in ms. Long, because a program may have to be compiled first. */
const START_TIMEOUT_MS = 30_000;

/** Options of all adapters that reach another process. */
export interface RemoteOptions {
  /**
   * Version of the contract for `initialize`, and a request without side effects, which shows whether an
   * implementation still responds.
   */
  readonly contract: { readonly version: string; readonly probe: Request };
  /** Time limit of a request, in ms; 0 for none. */
  readonly timeoutMs: number;
  /** Longest wait on a real clock, in ms. */
  readonly maxWaitMs: number;
  readonly clock: MachineClock;
}

export const MACHINE_CLOCK: MachineClock = { now: () => Date.now(), sleep: (ms) => sleep(ms) };
export const DEFAULT_OPTIONS = { timeoutMs: 5_000, maxWaitMs: 90_000, clock: MACHINE_CLOCK };

/**
 * Sends one message and returns the `result` of its answer.
 * @param timeoutMs time limit in ms (default: `timeoutMs` of the options)
 * @throws {ImplementationError}
 */
export type Call = (method: string, params: object, timeoutMs?: number) => Promise<unknown>;

/** Returns the label of a message for errors: its JSON-RPC method or, for `handle`, the request. */
export function describeMessage(method: string, params: object): string {
  if (method !== "handle") return method;
  const request = params as Request;
  return escapeText(`${request.method} ${request.path}`, 80);
}

/** An answer (JSON-RPC 2.0, section 5). If a message is not an answer, only `invalid` is set: the reason. */
export interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly details?: FailureDetails;
  readonly invalid?: string;
}

/** Reads a JSON value as an answer. */
export function readAnswer(message: unknown): Answer {
  const invalid = (expected: string, got = show(message)) => ({
    invalid: `expected ${expected}, got ${got}`,
  });
  if (!isObject(message)) return invalid("a JSON-RPC answer");
  const { jsonrpc, id, method, result, error } = message;
  if (method !== undefined) return invalid("an answer", `a request from the implementation: ${show(method)}`);
  if (jsonrpc !== "2.0") return invalid('"jsonrpc":"2.0" in the answer');
  if (id === undefined) return invalid("an answer with the id of a request");
  if (isObject(error) || typeof error === "string") {
    const { code, message: text, data } = isObject(error) ? error : { message: error };
    const reason = typeof text === "string" ? escapeText(text, 300) : "(no message)";
    return {
      id,
      error: typeof code === "number" ? `JSON-RPC error ${code}: ${reason}` : reason,
      details: readDetails(reason, data),
    };
  }
  return result === undefined ? invalid("a result or an error in the answer") : { id, result };
}

/** Reads `data` of an error: an object with the list `frames`, or the text of a trace. */
function readDetails(reason: string, data: unknown): FailureDetails {
  const { thrown, frames } = isObject(data) ? data : {};
  const lines = typeof data === "string" ? framesIn(data) : Array.isArray(frames) ? frames : [];
  return {
    thrown: typeof thrown === "string" ? escapeText(thrown, 300) : reason,
    frames: shownFrames(lines.map(String)),
  };
}

/** Returns the frames in a trace as V8, Java, or Python print it, innermost first. */
function framesIn(trace: string): readonly string[] {
  const ofPython = [...trace.matchAll(/^\s*File "(.*)", line (\d+), in (.*)$/gm)];
  if (ofPython.length > 0)
    return ofPython.map(([, file, line, name]) => `${name} (${file}:${line})`).reverse();
  const lines = [...trace.matchAll(/^\s*at (.*)$/gm)].map(([, frame = ""]) => frame);
  return lines.length > 0 ? lines : trace.split("\n").filter((line) => line.trim() !== "");
}

/**
 * Gets the name, the capabilities, and the facts of an implementation.
 * @throws {ImplementationError} if its protocol or contract version differs, or its info is invalid
 */
export async function initialize(
  call: Call,
  transport: ImplementationInfo["transport"],
  { contract: { version }, timeoutMs }: RemoteOptions,
): Promise<ImplementationInfo> {
  const limitMs = timeoutMs === 0 ? 0 : Math.max(timeoutMs, START_TIMEOUT_MS);
  const params: JsonObject = { protocol: PROTOCOL, contract: version };
  const result = await call("initialize", params, limitMs);
  const { protocol, contract = version, ...stated } = isObject(result) ? result : {};
  for (const [name, got] of Object.entries({ protocol, contract }))
    if (got !== params[name])
      throw new ImplementationError(`initialize: ${name} must be ${show(params[name])}, got ${show(got)}`);
  return readInfo(stated, "initialize", transport, false);
}

/** Asks an implementation for the bytes that a client signs. @throws {ImplementationError} */
export async function askForBytes(call: Call, message: string): Promise<Uint8Array> {
  const result = await call("bytesToSign", { message });
  const base64 = isObject(result) ? result["base64"] : undefined;
  const bytes = Buffer.from(String(base64), "base64");
  if (typeof base64 === "string" && bytes.toString("base64") === base64) return new Uint8Array(bytes);
  const expected = 'expected {"base64": …} in standard base64 (facts.signedBytes "adapter")';
  throw new ImplementationError(`bytesToSign: ${expected}, got ${show(result)}`);
}

/** A program or a control URL that receives the messages to one service at a time. */
export interface Carrier {
  readonly call: Call;
  /** Name of the service, if `start` returned a name. Earlier kits ran several services at once. */
  service?: unknown;
  /** Time on the virtual clock, in ms since the Unix epoch. Undefined before the first service. */
  nowMs?: number | undefined;
}

/** How to reach and control a service. */
export interface ServiceOptions extends Pick<RemoteOptions, "clock" | "maxWaitMs"> {
  readonly info: ImplementationInfo;
  /** Undefined if the kit cannot control the service, which already runs and has a real clock. */
  readonly carrier: Carrier | undefined;
  /** Sends a request to the service (default: as the message `handle`). */
  readonly send?: (request: Request) => Promise<unknown>;
  readonly onClose?: () => void;
}

/**
 * Starts a service with empty state, or continues with the running one if it cannot be restarted.
 * @throws {ImplementationError}
 */
export async function startService(options: ServiceOptions, startMs: number): Promise<Service> {
  const { info, carrier, clock, maxWaitMs, onClose = () => {} } = options;
  const { restart, rawBody } = info.capabilities;
  const isReal = info.capabilities.clock === "real";
  if (carrier !== undefined && (restart || carrier.nowMs === undefined)) {
    const result = await carrier.call("start", { nowMs: startMs, service: carrier.service });
    if (isObject(result)) carrier.service = result["service"];
    carrier.nowMs = startMs;
  }
  const send = async (request: Request) => {
    const body = exactBody(request.body, rawBody);
    const encoded =
      body instanceof Uint8Array
        ? { body: undefined, bodyBase64: Buffer.from(body).toString("base64") }
        : { body };
    return carrier?.call("handle", { ...request, ...encoded, service: carrier.service });
  };
  return {
    get nowMs() {
      return isReal ? clock.now() : (carrier?.nowMs ?? 0);
    },
    async advance(ms) {
      if (carrier === undefined || isReal) return wait(ms, clock, maxWaitMs);
      const expectedMs = (carrier.nowMs ?? 0) + ms;
      const result = await carrier.call("advance", { ms, service: carrier.service });
      const nowMs = isObject(result) ? result["nowMs"] : undefined;
      if (!Number.isSafeInteger(nowMs) || Number(nowMs) < expectedMs)
        throw new ImplementationError(`advance: expected {"nowMs":${expectedMs}}, got ${show(result)}`);
      carrier.nowMs = Number(nowMs);
    },
    handle: options.send ?? send,
    close: async () => onClose(),
  };
}

/** Waits on the clock of this machine. @throws {Unsupported} if the wait exceeds `maxWaitMs` */
async function wait(ms: number, clock: MachineClock, maxWaitMs: number): Promise<void> {
  if (ms > maxWaitMs)
    throw new Unsupported(
      `needs a wait of ${ms / 1000} s on a real clock, longer than ${maxWaitMs / 1000} s (--max-wait)`,
    );
  // A timer can fire up to a millisecond early.
  for (const endMs = clock.now() + ms; clock.now() < endMs; ) await clock.sleep(endMs - clock.now());
}

const MAX_RESTARTS = 3;
const MAX_HANGS = 30;
/** Time between two attempts to reach an implementation again, in ms. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Decides when the kit gives up on an implementation that crashes or hangs: after three failed restarts in a
 * row, or after thirty hangs.
 */
export class Recovery {
  #needsCheck = false;
  #hangs = 0;
  lost: ImplementationLost | undefined;

  /** Records that the implementation failed, so that it is checked before it is used again. */
  readonly recordFailure = ({ message }: ImplementationError, isHang: boolean): void => {
    this.#needsCheck = true;
    if (isHang) this.#hangs += 1;
    if (this.#hangs >= MAX_HANGS) this.#giveUp(`${MAX_HANGS} requests without a response; ${message}`);
  };

  #giveUp(cause: string): void {
    this.lost ??= new ImplementationLost(`the kit gave up after ${cause}`);
  }

  /**
   * Connects to the implementation. After a failure, retries several times.
   * @param connect function that connects and, if `mustCheck`, checks that the implementation responds
   * @throws {ImplementationError}
   */
  async connect<Connection>(
    clock: MachineClock,
    connect: (mustCheck: boolean) => Promise<Connection>,
  ): Promise<Connection> {
    const mustCheck = this.#needsCheck;
    for (let attempt = 1; ; attempt++) {
      if (this.lost !== undefined) throw this.lost;
      try {
        const connection = await connect(mustCheck);
        this.#needsCheck = false;
        return connection;
      } catch (error) {
        this.#needsCheck = true;
        if (!mustCheck || !(error instanceof ImplementationError)) throw error;
        if (attempt === MAX_RESTARTS)
          this.#giveUp(`${MAX_RESTARTS} failed attempts to restart the implementation; ${error.message}`);
        else if (this.lost === undefined) await clock.sleep(RETRY_INTERVAL_MS);
      }
    }
  }
}
