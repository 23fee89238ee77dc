import { isUtf8 } from "node:buffer";
import { type Agent, request as askPlainly, type ClientRequest, type IncomingMessage } from "node:http";
import { request as askSecurely } from "node:https";
import { Readable } from "node:stream";
import { AdapterFault } from "./adapter.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import type { HttpRequest } from "./http-request.ts";
import { thrownLine } from "./one-line.ts";
import { isSmall, pacedBody } from "./paced-body.ts";
import { withinLimit } from "./within-limit.ts";

/** How much is kept of an answer that is no JSON: enough to recognise it. */
const MAX_FOREIGN_CHARACTERS = 2_000;

/** Sends requests to one origin. */
export interface HttpClient {
  /** Keeps connections, as many as may be open. */
  readonly agent: Agent;
  readonly origin: string;
  /** The origin as a request names it. */
  readonly host: string;
  /** The origin in parts, as Node takes it. */
  readonly address: { readonly protocol: string; readonly hostname: string; readonly port: string };
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
  let asked: ClientRequest | undefined;
  const answer = send(client, request, (sent) => {
    asked = sent;
  });
  return withinLimit(answer, {
    limitMs: timeoutMs,
    message: () => `${request.method} ${request.path}: no answer within ${timeoutMs / 1000} s`,
    fatal: false,
    giveUp: () => asked?.destroy(),
  });
}

interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** @param onSent is given the request before anything is awaited */
async function send(
  client: HttpClient,
  request: HttpRequest,
  onSent: (asked: ClientRequest) => void,
): Promise<HttpAnswer> {
  try {
    const response = await responseTo(client, request, onSent);
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
  { address, agent, host }: HttpClient,
  { method, path, headers, body, chunked }: HttpRequest,
  onSent: (asked: ClientRequest) => void,
): Promise<IncomingMessage> {
  const ask = address.protocol === "https:" ? askSecurely : askPlainly;
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    // As a list they go out as they are; Node would copy and look through an object twice.
    const list = ["host", host];
    for (const name in headers) list.push(name, headers[name] ?? "");
    if (body !== undefined && !chunked) list.push("content-length", String(bytes));
    const asked = ask({ ...address, agent, method, path, headers: list });
    onSent(asked);
    asked.once("response", resolve);
    // It may come after the answer, too: a server that has refused a body need not read the rest of it.
    asked.on("error", reject);
    if (body === undefined) asked.end();
    // Text of one byte a character goes out with the header, as one piece.
    else if (typeof body === "string" && bytes === body.length && !chunked && isSmall(bytes))
      asked.end(body, "latin1");
    else {
      const sent = chunked ? inChunks(Buffer.from(body)) : pacedBody(Buffer.from(body));
      if (sent instanceof Readable) sent.pipe(asked);
      else asked.end(sent);
    }
  });
}

function wholeBody(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) response.destroy(new AnswerTooLarge());
    });
    response.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    response.once("error", reject);
  });
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
