import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BODY_LIMIT } from "./body.ts";
import { isLoopback, isOwnHost, isOwnOrigin } from "./loopback.ts";

/** Arguments of the handler, read from an HTTP request. */
export interface HttpCall {
  readonly method: string;
  readonly path: string;
  /** Text if the bytes are UTF-8, otherwise the bytes. Undefined if there are none. */
  readonly body: string | Uint8Array | undefined;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** A handler, which returns `{status, body}` or a promise of it. */
export interface CallHandler {
  handle(call: HttpCall): unknown;
}

/** Responds to a message sent to `/control`, and says whether the server stops afterwards. */
export type ControlHandler = (message: string) => Promise<{
  readonly answer: object;
  /** HTTP status of the response. */
  readonly status: number;
  readonly stop: boolean;
}>;

export interface HttpServerOptions {
  /** Port, or 0 for any free port. */
  readonly port: number;
  /** Loopback address to listen on (default: 127.0.0.1). */
  readonly host?: string;
  /**
   * Maximum number of bytes of a body that the handler gets (default: one more than the contract's limit).
   */
  readonly bodyBytes?: number;
  /** Handles `/control`. If it is missing, the service gets that path like any other. */
  readonly control?: ControlHandler;
}

export interface RunningHttpServer {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Resolves when the server has stopped, by `close` or a control message. */
  readonly stopped: Promise<void>;
  /** Closes the server. Waits up to one second for open requests. */
  close(): Promise<void>;
}

/** Response if the handler throws. The contract has no status for this case. */
const BROKEN = { status: 500, body: { code: "INTERNAL_ERROR", productionApproved: false } };

const CLOSE_GRACE_MS = 1_000;

/** Response to a request for another server (RFC 9110, section 15.5.20). */
const MISDIRECTED = {
  status: 421,
  body: { error: "the Host header must be a loopback name with the port of this server" },
};

/**
 * Serves a handler over HTTP, on this machine only (contract, "What the service does").
 *
 * Implementation-defined: an empty body is a missing body. A body that exceeds the limit is truncated to one
 * byte more than the limit, so that the handler refuses its size. A repeated header is one value, joined by
 * commas (RFC 9110, section 5.3). A scheme other than Bearer is a missing bearer. A host other than this
 * machine and port gets 421.
 *
 * @throws {Error} with one line, if `host` is not a loopback address or the port is not available
 */
export async function serveHttp(
  service: CallHandler,
  options: HttpServerOptions,
): Promise<RunningHttpServer> {
  const { host = "127.0.0.1", port, control, bodyBytes = BODY_LIMIT + 1 } = options;
  if (!isLoopback(host)) {
    throw new Error(`${host} is not a loopback address; this service is served on this machine only`);
  }
  const server = createServer((request, response) => {
    answer(service, control, bodyBytes, request, response).then(
      (stop) => {
        if (stop) close();
      },
      // The client has disconnected, or the handler returned no envelope.
      () => response.destroy(),
    );
  });
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(`cannot listen on ${host}:${port}: ${(error as Error).message}`);
  }
  const stopped = once(server, "close").then(() => undefined);
  const close = () => {
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS).unref();
    return stopped;
  };
  const { address, family, port: actual } = server.address() as AddressInfo;
  return { url: `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`, stopped, close };
}

/** Responds to a request. Returns whether the server stops afterwards. */
async function answer(
  service: CallHandler,
  control: ControlHandler | undefined,
  bodyBytes: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (!isOwnHost(request.headers.host, request.socket.localPort ?? 0)) {
    send(response, MISDIRECTED);
    return false;
  }
  const body = await readBody(request, bodyBytes);
  if (control !== undefined && request.method === "POST" && request.url === "/control") {
    // A web page can send this content type only after a CORS preflight request, which this server refuses.
    if (request.headers["content-type"] !== "application/json") {
      send(response, { status: 415, body: { error: "the content type must be application/json" } });
      return false;
    }
    const { origin } = request.headers;
    if (origin !== undefined && !isOwnOrigin(origin, request.socket.localPort ?? 0)) {
      send(response, { status: 403, body: { error: "the Origin header must name this server" } });
      return false;
    }
    const message = typeof body === "string" ? body : "";
    const { status, answer: reply, stop } = await control(message);
    send(response, { status, body: reply });
    return stop;
  }
  send(response, await callService(service, request, body));
  return false;
}

async function callService(service: CallHandler, request: IncomingMessage, body: HttpCall["body"]) {
  try {
    const envelope = await service.handle({
      method: request.method ?? "",
      path: request.url ?? "",
      body,
      bearer: bearerOf(header(request, "authorization")),
      idempotencyKey: header(request, "idempotency-key"),
    });
    return envelope as { status: number; body: object };
  } catch {
    return BROKEN;
  }
}

function send(response: ServerResponse, { status, body }: { status: number; body: object }): void {
  response.setHeader("content-type", "application/json");
  response.setHeader("cache-control", "no-store");
  // RFC 9110, section 15.5.2, requires this header.
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  response.statusCode = status;
  response.end(JSON.stringify(body));
}

/** Reads a body, and drops all bytes after the first `maxBytes`. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<HttpCall["body"]> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      if (length >= maxBytes) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) resolve(Buffer.concat(chunks).subarray(0, maxBytes));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the client disconnected")));
  });
  if (bytes.length === 0) return undefined;
  return isUtf8(bytes) ? bytes.toString() : new Uint8Array(bytes);
}

function header(request: IncomingMessage, name: string): string | undefined {
  return request.headersDistinct[name]?.join(", ");
}

/**
 * Returns the credentials of the Bearer scheme, whose name is case-insensitive (RFC 9110, section 11.1; RFC
 * 6750, section 2.1).
 */
function bearerOf(authorization: string | undefined): string | undefined {
  const match = /^Bearer(?: +(.*))?$/i.exec(authorization ?? "");
  return match === null ? undefined : (match[1] ?? "");
}
