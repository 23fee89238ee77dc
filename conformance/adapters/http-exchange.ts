import { isUtf8 } from "node:buffer";
import { type Agent, request as askPlainly, type IncomingMessage } from "node:http";
import { request as askSecurely } from "node:https";
import { Readable } from "node:stream";
import { AdapterFault } from "./adapter.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import type { HttpRequest } from "./http-request.ts";
import { thrownLine } from "./one-line.ts";
import { pacedBody } from "./paced-body.ts";
import { withinLimit } from "./within-limit.ts";

/** How much is kept of an answer that is no JSON: enough to recognise it. */
const MAX_FOREIGN_CHARACTERS = 2_000;

/** Sends requests to one origin. */
export interface HttpClient {
  /** Keeps connections, as many as may be open. */
  readonly agent: Agent;
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
export function exchange(client: HttpClient, request: HttpRequest): Promise<HttpAnswer> {
  const { timeoutMs } = client;
  const abort = new AbortController();
  return withinLimit(send(client, request, abort.signal), {
    limitMs: timeoutMs,
    message: () => `${request.method} ${request.path}: no answer within ${timeoutMs / 1000} s`,
    fatal: false,
    giveUp: () => abort.abort(),
  });
}

interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

async function send(client: HttpClient, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  try {
    const response = await responseTo(client, request, signal);
    return { status: response.statusCode ?? 0, body: bodyValue(await wholeBody(response)) };
  } catch (thrown) {
    throw new AdapterFault(`${request.method} ${request.path}: ${failureLine(thrown)}`, { fatal: false });
  }
}

/**
 * The final answer, once its header is there. Interim ones (RFC 9110, section 15.2), which a server may send unasked, are
 * passed over.
 */
function responseTo(
  { origin, agent }: HttpClient,
  { method, path, headers, body, chunked }: HttpRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const ask = origin.startsWith("https:") ? askSecurely : askPlainly;
  return new Promise((resolve, reject) => {
    const length = body === undefined || chunked ? {} : { "content-length": String(body.length) };
    const asked = ask(new URL(origin), { agent, method, path, headers: { ...headers, ...length }, signal });
    asked.once("response", resolve);
    // It may come after the answer, too: a server that has refused a body need not read the rest of it.
    asked.on("error", reject);
    const sent = body === undefined ? "" : chunked ? inChunks(body) : pacedBody(body);
    if (sent instanceof Readable) sent.pipe(asked);
    else asked.end(sent);
  });
}

async function wholeBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
  }
  return Buffer.concat(chunks);
}

class AnswerTooLarge extends Error {
  override readonly message = `the answer is larger than ${MAX_ANSWER_SHOWN}`;
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
function failureLine(thrown: unknown): string {
  const code = String((thrown as { code?: unknown } | null)?.code);
  if (["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(code))
    return "the connection was closed before the answer was whole";
  if (code.startsWith("HPE_")) return `what was answered is no HTTP: ${thrownLine(thrown)}`;
  return thrownLine(thrown);
}
