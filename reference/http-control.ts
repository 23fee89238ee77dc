import type { CallHandler, ControlHandler, HttpCall } from "./http.ts";

/** A module with a service in it, and what it says of itself to a test driver. */
export interface ControlledModule {
  createService(options: { readonly now: () => number }): CallHandler | Promise<CallHandler>;
  readonly implementation: object;
  readonly capabilities: object;
  readonly facts: object;
  /** What a client signs for a message, where `facts.signedBytes` is `adapter`. */
  bytesToSign?(message: string): Uint8Array | Promise<Uint8Array>;
}

/** Services on test clocks that their control handler starts and moves on. */
export interface ControlledService extends CallHandler {
  readonly control: ControlHandler;
}

/**
 * Where clocks end, in ms since the Unix epoch: what lives for an hour from there on still ends at a moment
 * that has a name.
 */
const LAST_MS = Date.UTC(9999, 11, 31);

/** What is answered in the place of a service that there is not. */
const NO_SERVICE = { status: 404, body: { error: "no such service" } };

/**
 * Codes of JSON-RPC 2.0, section 5.1, for what is wrong with the message itself: over HTTP, a bad request.
 */
const BAD_REQUEST: readonly number[] = [-32700, -32600, -32602];

/** JSON-RPC 2.0, section 5.1. */
class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** How many services there may be at once: of more, the one is forgotten that was started first. */
const INSTANCES = 16;

/** Below this path, and its name, each service is asked. */
const SERVICES = "/control/services/";
/** The same, seen from `/control`, so that it holds wherever a proxy has that. */
const FROM_CONTROL = "control/services/";

/**
 * A service, and the clock that it has for itself: one that is gone must not see the time of its successor.
 */
interface Started {
  clock: { nowMs: number };
  service: CallHandler;
}

/**
 * Services that a test driver controls by JSON-RPC 2.0 messages: `initialize`, `start {nowMs, service}`,
 * `advance {ms, service}`, `bytesToSign {message}` where the module exports it, and `shutdown`. A `start` that names no
 * service makes one, and gives its name and base URL, relative to `/control`; whoever looks at neither finds the one that was made last where
 * the server is.
 *
 * @param nowMs the clock's reading until the first `start`, in ms since the Unix epoch
 */
export async function controlledService(module: ControlledModule, nowMs: number): Promise<ControlledService> {
  const begin = async (startMs: number): Promise<Started> => {
    const clock = { nowMs: startMs };
    return { clock, service: await module.createService({ now: () => clock.nowMs }) };
  };
  let last = await begin(nowMs);
  /** By their names, in the order in which they were started. */
  const services = new Map<string, Started>();
  let made = 0;

  const named = (params: unknown): [string, Started] | undefined => {
    const { service: name } = (params ?? {}) as { readonly service?: unknown };
    if (name === undefined) return undefined;
    const found = services.get(String(name));
    if (found === undefined) throw new RpcError(-32602, "no such service");
    return [String(name), found];
  };
  const start = async (params: unknown): Promise<object> => {
    const [earlier, present] = named(params) ?? [];
    const begun = await begin(milliseconds(params, "nowMs", LAST_MS));
    const started = present === undefined ? begun : Object.assign(present, begun);
    const name = earlier ?? `${++made}`;
    if (earlier === undefined) last = started;
    services.delete(name);
    services.set(name, started);
    const [oldest] = services.keys();
    if (oldest !== undefined && services.size > INSTANCES) services.delete(oldest);
    return { service: name, baseUrl: `${FROM_CONTROL}${name}` };
  };
  const perform = async (method: unknown, params: unknown): Promise<object> => {
    switch (method) {
      case "initialize": {
        const { implementation, facts } = module;
        const capabilities = { ...module.capabilities, instances: INSTANCES };
        return { protocol: 1, implementation, capabilities, facts };
      }
      case "start":
        return start(params);
      case "advance": {
        const [, { clock }] = named(params) ?? ["", last];
        clock.nowMs += milliseconds(params, "ms", LAST_MS - clock.nowMs);
        return { nowMs: clock.nowMs };
      }
      case "bytesToSign": {
        if (module.bytesToSign === undefined) throw new RpcError(-32601, "no such method");
        const bytes = await module.bytesToSign(text(params, "message"));
        return { base64: Buffer.from(bytes).toString("base64") };
      }
      case "shutdown":
        return {};
      default:
        throw new RpcError(-32601, "no such method");
    }
  };
  return {
    handle(call: HttpCall) {
      if (!call.path.startsWith(SERVICES)) return last.service.handle(call);
      const [name = ""] = call.path.slice(SERVICES.length).split(/[/?]/, 1);
      const path = call.path.slice(SERVICES.length + name.length);
      const started = services.get(name);
      return started?.service.handle({ ...call, path }) ?? NO_SERVICE;
    },
    async control(text) {
      let id: unknown = null;
      try {
        const message = parse(text);
        id = message["id"] ?? null;
        const result = await perform(message["method"], message["params"]);
        const answer = { jsonrpc: "2.0", id, result };
        return { answer, status: 200, stop: message["method"] === "shutdown" };
      } catch (thrown) {
        const { message } = thrown as Error;
        const code = thrown instanceof RpcError ? thrown.code : -32603;
        const status = BAD_REQUEST.includes(code) ? 400 : 200;
        return { answer: { jsonrpc: "2.0", id, error: { code, message } }, status, stop: false };
      }
    },
  };
}

function parse(text: string): Record<string, unknown> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new RpcError(-32700, "the message is no JSON");
  }
  if (typeof message !== "object" || message === null) throw new RpcError(-32600, "the message is no object");
  return message as Record<string, unknown>;
}

function text(params: unknown, name: string): string {
  const value = (params as Record<string, unknown> | null | undefined)?.[name];
  if (typeof value !== "string") throw new RpcError(-32602, `${name} must be a string`);
  return value;
}

/** @param most what the clock has room for */
function milliseconds(params: unknown, name: string, most: number): number {
  const value = (params as Record<string, unknown> | null | undefined)?.[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw new RpcError(-32602, `${name} must be a whole number of milliseconds`);
  }
  if (value > most) throw new RpcError(-32602, `${name} leads beyond the year 9999`);
  return value;
}
