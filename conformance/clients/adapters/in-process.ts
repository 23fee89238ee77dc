/** Adapter for a client module that runs in this process. A client that hangs or crashes affects the kit. */
import { ImplementationError } from "../../adapters/adapter.ts";
import { isObject } from "../../data/json.ts";
import { errorText } from "../../data/text.ts";
import type { SentRequest } from "../history.ts";
import { type ClientAdapter, type LaunchContext, readClientInfo } from "./client-adapter.ts";

/** Exports of a client module (client protocol, "A module"). */
export interface ClientModule {
  launch(task: unknown, tools: object): unknown;
  readonly client?: unknown;
  readonly facts?: unknown;
}

/**
 * Returns a client whose waits advance the clock of the trial and take no real time, except for those for HTTP.
 * @param usesHttp whether the client reaches the service over HTTP; if not, it calls `handle`
 * @throws {ImplementationError} if a statement of the module is invalid
 */
export function inProcessClient(module: ClientModule, usesHttp = false): ClientAdapter {
  return {
    info: readClientInfo(module, "the module", "the module", "in-process"),
    usesHttp,
    waitScale: 1,
    async perform(task, context) {
      const { handle, ...others } = toolsOf(context);
      const tools = usesHttp ? others : { handle, ...others };
      try {
        return JSON.parse(JSON.stringify((await module.launch(task, tools)) ?? null));
      } catch (error) {
        throw new ImplementationError(`launch failed: ${errorText(error)}`);
      }
    },
    async close() {},
  };
}

/** Returns the tools that a module gets for a launch (client protocol, "A module"). */
export function toolsOf(context: LaunchContext) {
  return {
    async handle(call: unknown): Promise<unknown> {
      const response = await duringLaunch(context, () => context.handle(requestOfCall(call), context.sleep));
      // A call cannot stop in its middle, so a response that never comes is lost at the deadline.
      if (response?.breaks !== undefined && response.breaks !== "closed")
        await duringLaunch(context, () => context.sleep(context.endsAtMs - context.now()));
      if (response === undefined || response.breaks !== undefined)
        throw new Error("the connection was closed before a response arrived");
      return structuredClone(response.envelope);
    },
    sleep: (ms: unknown) => duringLaunch(context, () => context.sleep(Number(ms) || 0)),
    now: context.now,
  };
}

/** Awaits work. Never settles after the launch has ended, so that endless retries do not block the thread. */
async function duringLaunch<Value>({ signal }: LaunchContext, work: () => Promise<Value>): Promise<Value> {
  const never = () => new Promise<never>(() => {});
  if (signal.aborted) await never();
  try {
    return await work();
  } finally {
    if (signal.aborted) await never();
  }
}

/**
 * Returns the HTTP request that a call of `handle` represents (contract, "Endpoints"). Unknown members
 * of the call become headers, so that rules see everything that a client sends.
 */
function requestOfCall(call: unknown): SentRequest {
  if (!isObject(call)) throw new TypeError("handle requires an object with the members method and path");
  const { method, path, body, bearer, idempotencyKey, ...others } = call;
  // Without a prototype, because a name can be `constructor`.
  const headers: Record<string, string[]> = Object.create(null);
  const addHeader = (name: string, value: unknown, prefix = "") => {
    const key = name.toLowerCase();
    if (value !== undefined && value !== null)
      headers[key] = [...(headers[key] ?? []), prefix + textOf(value)];
  };
  addHeader("authorization", bearer, "Bearer ");
  addHeader("idempotency-key", idempotencyKey);
  for (const [name, value] of Object.entries(others)) addHeader(name, value);
  return {
    method: textOf(method ?? ""),
    path: textOf(path ?? ""),
    headers,
    bytes: Buffer.from(body instanceof Uint8Array ? body : textOf(body ?? "")),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
