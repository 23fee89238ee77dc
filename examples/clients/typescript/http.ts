import type { IncomingMessage, RequestOptions } from "node:http";
import { text } from "node:stream/consumers";
import type { Answer, Call, Transport } from "./protocol.ts";

/**
 * Reaches a service over HTTP (contract, "What the service does").
 *
 * @param remainingMs returns the maximum time until the response
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
 * Follows no redirects, because a bearer belongs to one service. Does not use `fetch`, because loading it
 * takes longer than a launch.
 */
async function send(url: string, options: RequestOptions, body?: string): Promise<IncomingMessage> {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on("error", reject).end(body);
  });
}

/** Returns undefined for text that is not JSON, as a proxy may send. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
