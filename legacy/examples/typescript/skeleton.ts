/**
 * Skeleton of a service that the conformance kit runs in its own process: fill in parts 1 and 2, and run the kit on it
 * with `run --module skeleton.ts`; `skeleton-stdio.ts` runs the same module as a process.
 */

/** One request: `body` is its exact text, or its bytes where they are not valid UTF-8. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
  readonly bearer?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The answer: an HTTP status and the JSON value of the response body. */
export interface Envelope {
  readonly status: number;
  readonly body: unknown;
}

// ---- 1. YOUR SERVICE: replace what stands here.

/**
 * Makes a service with empty state. Requests may be in flight together: what one of them reads before an `await`, another
 * may have changed after it.
 *
 * @param _clock `now` gives milliseconds since the Unix epoch; the service reads no other clock
 */
export function createService(_clock: { now: () => number }) {
  return {
    async handle({ method, path }: Request): Promise<Envelope> {
      if (method === "GET" && path === "/v1/platform") {
        return { status: 200, body: { mode: "OFFLINE_PROTOTYPE", productionApproved: false } };
      }
      return { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } };
    },
  };
}

// ---- 2. WHAT THE KIT CANNOT SEE: replace what is not so.

/** What reports call it. */
export const implementation = { name: "my-service", version: "0.0.0", language: "TypeScript" };

/**
 * `operatorKey`, `signedBytes` and `capacity` may be added. Clients sign the message of a challenge as UTF-8 unless
 * `signedBytes` says `hex`, `base64`, `sha256`, or `adapter`: then export `bytesToSign(message)` as well, which gives those
 * bytes as a Uint8Array.
 */
export const facts = { metadataHosts: ["metadata-one.example", "metadata-two.example"] };

/** With `rawBody: false`, `body` comes parsed instead of as text. */
export const capabilities = { clock: "virtual", restart: true, rawBody: true, concurrency: true };
