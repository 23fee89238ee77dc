import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { AdapterFault } from "./adapter.ts";
import { MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import type { HttpRequest } from "./http-request.ts";
import { thrownLine } from "./one-line.ts";
import { pacedBody } from "./paced-body.ts";

/** How much is kept of an answer that is no JSON: enough to recognise it. */
const MAX_FOREIGN_CHARACTERS = 2_000;

/** Sends requests to one origin. */
export interface HttpClient {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  /** How long one exchange may take, in milliseconds; 0 is for ever. */
  readonly timeoutMs: number;
}

/**
 * Sends a request and gives its answer as an envelope. An answer that is no JSON becomes a `body` that is its text, so
 * that it is judged, and refused, as what it is. Redirects are answers too.
 *
 * @throws {AdapterFault} not fatal, where no whole answer came
 */
export async function exchange(
  client: HttpClient,
  request: HttpRequest,
): Promise<{ status: number; body: unknown }> {
  const { dispatcher, origin, timeoutMs } = client;
  const { body, chunked = false } = request;
  try {
    const response = await dispatcher.request({
      origin,
      path: request.path,
      method: request.method as Dispatcher.HttpMethod,
      headers:
        body === undefined || chunked
          ? request.headers
          : { ...request.headers, "content-length": String(body.length) },
      body: body === undefined ? null : chunked ? inChunks(body) : pacedBody(body),
      signal: timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : null,
    });
    return { status: response.statusCode, body: bodyValue(Buffer.from(await response.body.bytes())) };
  } catch (thrown) {
    throw new AdapterFault(`${request.method} ${request.path}: ${failureLine(thrown, timeoutMs)}`, {
      fatal: false,
    });
  }
}

/** A body whose length nobody knows in advance: HTTP then sends it in chunks (RFC 9112, section 7.1). */
function inChunks(bytes: Uint8Array): Readable {
  const half = Math.ceil(bytes.length / 2);
  return Readable.from([bytes.subarray(0, half), bytes.subarray(half)], { objectMode: false });
}

function bodyValue(bytes: Buffer): unknown {
  const text = bytes.toString();
  try {
    if (isUtf8(bytes)) return JSON.parse(text);
  } catch {
    // An answer that is no JSON is given as it is.
  }
  return text.slice(0, MAX_FOREIGN_CHARACTERS);
}

/** Why an exchange failed, in terms of HTTP rather than of the library. */
function failureLine(thrown: unknown, timeoutMs: number): string {
  const { name, code } = thrown as { name?: unknown; code?: unknown };
  if (name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  switch (code) {
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
    case "EPIPE":
      return "the connection was closed before the answer was whole";
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
      return `the answer is larger than ${MAX_ANSWER_SHOWN}`;
    default:
      return thrownLine(thrown);
  }
}
