import type { CallHandler, ControlHandler, HttpCall } from "./http.ts";

/** The exports of a service module that tests use. */
export interface ControlledModule {
  createService(options: { readonly now: () => number }): CallHandler | Promise<CallHandler>;
  readonly implementation: object;
  readonly capabilities: object;
  readonly facts: object;
  /** Returns the bytes that a client signs for a message. Required if `facts.signedBytes` is `adapter`. */
  bytesToSign?(message: string): Uint8Array | Promise<Uint8Array>;
}

/** A service on a test clock. */
export interface ControlledService extends CallHandler {
  readonly control: ControlHandler;
}

/** Latest time of the clock, in ms since the Unix epoch. Entries stored then expire in the year 9999. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Codes of JSON-RPC 2.0 (section 5.1) for faulty messages, which get status 400. */
const BAD_REQUEST: readonly number[] = [-32700, -32600, -32602];

/** An error of JSON-RPC 2.0 (section 5.1). */
class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Creates a service that tests control by messages of the adapter protocol: `initialize`, `start {nowMs}`,
 * `advance {ms}`, `bytesToSign {message}`, and `shutdown`. Each start replaces the service.
 * @param nowMs time on the clock until the first start, in ms since the Unix epoch
 */
export async function controlledService(module: ControlledModule, nowMs: number): Promise<ControlledService> {
  // Each service has its own clock, so that a late response does not see the time of the next service.
  const start = async (startMs: number) => {
    const clock = { nowMs: startMs };
    return { clock, service: await module.createService({ now: () => clock.nowMs }) };
  };
  let current = await start(nowMs);

  const perform = async (method: unknown, params: unknown): Promise<object> => {
    const { clock } = current;
    switch (method) {
      case "initialize": {
        const { implementation, capabilities, facts } = module;
        return { protocol: 1, implementation, capabilities, facts };
      }
      case "start":
        current = await start(milliseconds(params, "nowMs", LAST_MS));
        return {};
      case "advance":
        clock.nowMs += milliseconds(params, "ms", LAST_MS - clock.nowMs);
        return { nowMs: clock.nowMs };
      case "bytesToSign": {
        if (module.bytesToSign === undefined) throw new RpcError(-32601, "unknown method");
        const message = memberOf(params, "message");
        if (typeof message !== "string") throw new RpcError(-32602, "message must be a string");
        return { base64: Buffer.from(await module.bytesToSign(message)).toString("base64") };
      }
      case "shutdown":
        return {};
      default:
        throw new RpcError(-32601, "unknown method");
    }
  };
  return {
    handle: (call: HttpCall) => current.service.handle(call),
    async control(text) {
      let id: unknown = null;
      try {
        const message = parse(text);
        id = message["id"] ?? null;
        const result = await perform(message["method"], message["params"]);
        return {
          answer: { jsonrpc: "2.0", id, result },
          status: 200,
          stop: message["method"] === "shutdown",
        };
      } catch (error) {
        const { message } = error as Error;
        const code = error instanceof RpcError ? error.code : -32603;
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
    throw new RpcError(-32700, "the message must be JSON");
  }
  if (typeof message !== "object" || message === null)
    throw new RpcError(-32600, "the message must be an object");
  return message as Record<string, unknown>;
}

function memberOf(params: unknown, name: string): unknown {
  return (params as Record<string, unknown> | null | undefined)?.[name];
}

/** @param max largest value with which the clock stays in range */
function milliseconds(params: unknown, name: string, max: number): number {
  const value = memberOf(params, name);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new RpcError(-32602, `${name} must be an integer of 0 or more`);
  if (value > max) throw new RpcError(-32602, `${name} exceeds the year 9999`);
  return value;
}
