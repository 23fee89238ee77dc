import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BODY_LIMIT } from "./body.ts";
import { isLoopback, isOwnHost, isOwnOrigin } from "./loopback.ts";

/** One call, as the contract's in-process form has it. */
export interface HttpCall {
  readonly method: string;
  readonly path: string;
  /** Text where the bytes are UTF-8, the bytes themselves otherwise; undefined where there are none. */
  readonly body: string | Uint8Array | undefined;
  readonly bearer: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** Whatever answers calls: `handle` gives `{status, body}` or a promise of it. */
export interface CallHandler {
  handle(call: HttpCall): unknown;
}

/** Takes a message posted to `/control`, and gives the answer to it and whether the server is to stop after it. */
export type ControlHandler = (message: string) => Promise<{
  readonly answer: object;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly stop: boolean;
}>;

export interface HttpServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string;
  /** Bytes of a body that are handed on at most; by default one more than the contract's limit. */
  readonly bodyBytes?: number;
  /** Opens `/control` to a test driver; without it that path is the service's like any other. */
  readonly control?: ControlHandler;
}

export interface RunningHttpServer {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Settles when the server has stopped, by `close` or by a control message. */
  readonly stopped: Promise<void>;
  /** Takes no more connections, lets running requests end for at most a second, and gives {@link stopped}. */
  close(): Promise<void>;
}

/** What is sent where the service itself breaks; the contract has no status for that. */
const BROKEN = { status: 500, body: { code: "INTERNAL_ERROR", productionApproved: false } };

const CLOSE_GRACE_MS = 1_000;

/** RFC 9110, section 15.5.20: the request is for somebody else. */
const MISDIRECTED = {
  status: 421,
  body: { error: "the Host header must be a loopback name with the port of this server" },
};

/**
 * Serves a handler over HTTP on this machine only (contract, "What the service does": the prospective mapping).
 *
 * Our choices where the contract shows none: an empty body is no body; of a body over the limit one byte more than
 * the limit is read and handed on unless told, so that the service refuses it by its size; a header given twice is one value
 * joined by a comma (RFC 9110, section 5.3), which no token and no key matches; a scheme other than Bearer is no
 * bearer. Whoever asks for another host than this machine and port gets 421 before anything else is looked at.
 *
 * @throws {Error} one line, where `host` is no loopback address or the port cannot be had
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
      // The client is gone, or what the service gave is no envelope: there is no answer to send.
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

/** Answers one request; gives whether the server is to stop. */
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
    // A web page can post to this machine, but not as JSON without asking first (CORS), which nobody here allows.
    if (request.headers["content-type"] !== "application/json") {
      send(response, { status: 415, body: { error: "the content type must be application/json" } });
      return false;
    }
    const { origin } = request.headers;
    if (origin !== undefined && !isOwnOrigin(origin, request.socket.localPort ?? 0)) {
      send(response, { status: 403, body: { error: "pages from elsewhere do not control this server" } });
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
  // Every 401 names the scheme that it asks for (RFC 9110, section 15.5.2).
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  response.statusCode = status;
  response.end(JSON.stringify(body));
}

/** Reads a body to its end, or so many bytes of it; the rest is then thrown away as it comes. */
async function readBody(request: IncomingMessage, most: number): Promise<HttpCall["body"]> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      if (length >= most) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length >= most) resolve(Buffer.concat(chunks).subarray(0, most));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the request broke off")));
  });
  if (bytes.length === 0) return undefined;
  return isUtf8(bytes) ? bytes.toString() : new Uint8Array(bytes);
}

function header(request: IncomingMessage, name: string): string | undefined {
  return request.headersDistinct[name]?.join(", ");
}

/** The credentials of the Bearer scheme, whose name has no case (RFC 9110, section 11.1; RFC 6750, section 2.1). */
function bearerOf(authorization: string | undefined): string | undefined {
  const match = /^Bearer(?: +(.*))?$/i.exec(authorization ?? "");
  return match === null ? undefined : (match[1] ?? "");
}
