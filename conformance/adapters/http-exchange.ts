/** One HTTP request and its response. */
import { isUtf8 } from "node:buffer";
import { type Agent, type IncomingMessage, request as requestPlainly } from "node:http";
import { request as requestSecurely } from "node:https";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ambiguousBody, repeatsMember } from "../data/json.ts";
import { errorText, escapeText } from "../data/text.ts";
import { ConnectionLost, ImplementationError, MAX_RESPONSE_BYTES, RESPONSE_TOO_LONG } from "./adapter.ts";
import { describeMessage } from "./protocol.ts";

export interface HttpServer {
  readonly url: URL;
  readonly agent: Agent;
  /** Path of the URL, without a trailing slash. */
  readonly basePath: string;
  /** Time limit of an exchange, in ms; 0 for none. */
  readonly timeoutMs: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether the body is sent in chunks, without its length. */
  readonly chunked?: boolean;
}

/** Called before an error is thrown. @param isHang whether the error is a timeout */
export type OnFailure = (error: ImplementationError, isHang: boolean) => void;

/** Length to which a body that is not JSON is truncated, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 2_000;
/** Size of the first part of a large body, in bytes. A socket accepts it without waiting for the server. */
const FIRST_BYTES = 64 * 1024;
/** Status of an HTTP server's response to bytes that are not a request. */
const UNREADABLE = 400;
/**
 * Pause after the first part of a large body, during which a server can refuse the body, in ms. After each
 * step, the event loop reads from the sockets, so a process that was suspended still reads before it writes.
 */
const REFUSAL_MS = { pause: 100, step: 10 };

/** The last exchange of each connection, as text. */
const lastExchanges = new WeakMap<Socket, string>();

/**
 * Sends a request and returns the response as an envelope. A body that is not JSON is returned as text, so
 * that it is judged. Redirects are returned with their location, not followed. Bytes left over from the previous exchange on the
 * connection can cause a 400 or an error. The text of the 400 or of the error then names that exchange.
 * @param socket an open connection for this request only (default: a kept or new one of the agent)
 * @throws {ConnectionLost} if a kept connection was closed before the first byte of the response
 * @throws {ImplementationError} if there is no complete response
 */
export async function exchange(
  server: HttpServer,
  message: HttpRequest,
  onFailure: OnFailure,
  socket?: Socket,
): Promise<{ readonly status: number; readonly body: unknown; readonly location: string | undefined }> {
  const { timeoutMs } = server;
  const timeout = timeoutMs === 0 ? undefined : AbortSignal.timeout(timeoutMs);
  let suspicion: string | undefined;
  let hasNoByte = () => false;
  const remember = (used: Socket, status?: number) => {
    const earlier = lastExchanges.get(used);
    const { bytesRead } = used;
    if (status === undefined) hasNoByte = () => used.bytesRead === bytesRead;
    if (earlier !== undefined && status === undefined)
      suspicion =
        `the previous exchange on this connection was ${earlier}; ` +
        "the server may have left request bytes unread, or sent extra response bytes";
    lastExchanges.set(used, `${message.method} ${message.path} (status ${status})`);
  };
  try {
    const response = await send(server, message, timeout, remember, socket);
    const status = response.statusCode ?? 0;
    remember(response.socket, status);
    const bytes = await readBytes(response, timeout);
    const body = readBody(response, bytes);
    const isOfServer = status === UNREADABLE && typeof body === "string" && suspicion !== undefined;
    const { location } = response.headers;
    return { status, body: isOfServer ? `(${suspicion}) ${body}` : body, location };
  } catch (thrown) {
    const isHang = timeout?.aborted === true;
    const isLost = !isHang && suspicion !== undefined && isClosed(thrown) && hasNoByte();
    if (isLost) keepNoConnections(server.agent);
    const failure = isHang
      ? `no response within ${timeoutMs / 1000} s`
      : isLost
        ? "the server closed the kept connection without a response"
        : describeFailure(thrown);
    const reason = suspicion === undefined || isHang ? failure : `${failure} (${suspicion})`;
    const type = isLost ? ConnectionLost : ImplementationError;
    const error = new type(`${describeMessage("handle", message)}: ${reason}`);
    onFailure(error, isHang);
    throw error;
  }
}

/**
 * Resolves to the final response when its headers have arrived. Ignores interim responses. A server can
 * refuse a large body without reading all of it (RFC 9110, section 15.5.14). If a write then fails, the
 * response is lost. So this function pauses after the first part of a large body.
 *
 * If the server closed a kept connection before the first byte is sent, uses another connection.
 */
export async function send(
  server: HttpServer,
  message: HttpRequest,
  signal: AbortSignal | undefined,
  onSocket: (socket: Socket) => void,
  own?: Socket,
): Promise<IncomingMessage> {
  const { url, agent } = server;
  const { method, path, headers, body, chunked = false } = message;
  // Reads from the kept connections first, and so notices which ones the server has closed.
  if (own === undefined) for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  const bytes = Buffer.from(body ?? "");
  const length = body === undefined || chunked ? {} : { "content-length": bytes.length };
  // RFC 9110, section 12.5.3: without this header, a server may choose any content coding.
  const fields = { "accept-encoding": "identity", ...headers, ...length };
  const connection = own === undefined ? { agent } : { createConnection: () => own };
  const options = { ...connection, method, path, signal, headers: fields };
  const isLarge = bytes.length > FIRST_BYTES;
  const firstLength = isLarge ? FIRST_BYTES : Math.ceil(bytes.length / 2);
  const pauseMs = isLarge ? REFUSAL_MS.pause : REFUSAL_MS.step;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestSecurely : requestPlainly)(url, options);
    request.once("socket", (socket) => {
      if (!request.reusedSocket || (socket.writable && !socket.readableEnded)) return onSocket(socket);
      resolve(send(server, message, signal, onSocket));
      request.destroy();
    });
    request.once("response", resolve);
    // An error can follow the response: a server that refused a body need not read the rest of it.
    request.on("error", reject);
    // A connection can close without an error, such as after status 101.
    request.once("close", () => reject(new Error("the connection was closed without a response")));
    if (body === undefined || (!chunked && !isLarge)) request.end(bytes);
    else {
      request.write(bytes.subarray(0, firstLength));
      pause(pauseMs).then(() => request.end(bytes.subarray(firstLength)));
    }
  });
}

async function pause(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += REFUSAL_MS.step) await sleep(REFUSAL_MS.step);
}

/** Reads the body of a message. @throws {Error} if it exceeds {@link MAX_RESPONSE_BYTES}, or the signal aborts */
export async function readBytes(message: IncomingMessage, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error(RESPONSE_TOO_LONG);
  }
  // Without a length, a body ends with the connection, and the signal closes the connection.
  signal?.throwIfAborted();
  return Buffer.concat(chunks);
}

function readBody({ headers }: IncomingMessage, bytes: Buffer): unknown {
  const coding = headers["content-encoding"] ?? "identity";
  if (coding !== "identity") return `(content-encoding ${coding}, but the request accepts only identity)`;
  const text = bytes.toString();
  try {
    if (isUtf8(bytes)) {
      const body: unknown = JSON.parse(text);
      return repeatsMember(text, body) ? ambiguousBody(text) : body;
    }
  } catch {
    // A body that is not JSON is judged as text.
  }
  return text.slice(0, MAX_TEXT_LENGTH);
}

/** Closes the idle connections, and lets the agent open a new connection for each request. */
function keepNoConnections(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const one of sockets ?? []) one.destroy();
}

function isClosed(thrown: unknown): boolean {
  const { code = "" } = thrown as { readonly code?: string };
  return ["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(code);
}

function describeFailure(thrown: unknown): string {
  const { code = "" } = thrown as { readonly code?: string };
  if (isClosed(thrown)) return "the connection was closed before the response was complete";
  if (code === "ECONNREFUSED") return "the connection was refused; nothing listens on this port";
  if (code.startsWith("HPE_")) return `the response is not HTTP: ${errorText(thrown)}`;
  return escapeText(errorText(thrown));
}
