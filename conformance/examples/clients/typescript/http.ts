import type { Answer, Call, Transport } from "./protocol.ts";

/**
 * Reaches a service over HTTP, by the contract's mapping.
 *
 * @param remainingMs how long an answer may take at most
 */
export function overHttp(baseUrl: string, remainingMs: () => number): Transport {
  return async ({ method, path, body, bearer, idempotencyKey }: Call): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      // A bearer is for this service, and for no other that it names.
      redirect: "manual",
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(remainingMs()))),
    });
    return { status: response.status, body: parsed(await response.text()) };
  };
}

/** A proxy on the way may answer with something else than JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
