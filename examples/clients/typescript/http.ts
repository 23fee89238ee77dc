import type { IncomingMessage, RequestOptions } from "node:http";
import { text } from "node:stream/consumers";
import type { Answer, Call, Transport } from "./protocol.ts";

/**
 * Reaches a service over HTTP, by the contract's mapping.
 *
 * @param remainingMs how long an answer may take at most
 */
export function overHttp(baseUrl: string, remainingMs: () => number): Transport {
  return async ({ method, path, body, bearer, idempotencyKey }: Call): Promise<Answer> => {
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    };
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(remainingMs())));
    const response = await send(baseUrl + path, { method, headers, signal }, body);
    return { status: response.statusCode ?? 0, body: parsed(await text(response)) };
  };
}

/**
 * Follows no redirect: a bearer is for this service, and for no other that it names. In a process of its own for each launch
 * `fetch` would take longer to load than all else that the launch does.
 */
async function send(url: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end(body);
  });
}

/** A proxy on the way may answer with something else than JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
