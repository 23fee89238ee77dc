import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import { createProxyServer } from "httpxy";
import type { HttpTarget } from "../adapters/http-target.ts";
import { listenOn } from "../adapters/listen-on.ts";
import { thrownLine } from "../adapters/one-line.ts";
import { byName } from "../audit/http-message.ts";
import type { BrokenOff, Fields } from "../engine/audit/recorded.ts";
import { ConnectionPair, type TrustedCertificates } from "./connection-pair.ts";
import {
  endsConnection,
  endToEnd,
  type Header,
  headerPairs,
  KeptBody,
  notHttp,
  unreachable,
  valuesOf,
} from "./http-messages.ts";
import type { PassedExchange } from "./passed-exchange.ts";

/** What a proxy is made of. */
export interface ReverseProxyOptions {
  readonly target: HttpTarget;
  readonly trusted: TrustedCertificates;
  /** Where it listens; port 0 for any free one. */
  readonly host: string;
  readonly port: number;
  /** Whether the service is told the `Host` that the client asked for, in place of its own. */
  readonly keepHost: boolean;
  readonly clock: ProxyClock;
  /**
   * Told of each request that reached the service, once it is answered or broken off, and when the earliest began that is
   * still under way. What it throws is told as trouble.
   */
  readonly onExchange: (exchange: PassedExchange, openSinceMs: number) => void;
  /** Told in one line of what did not go as it should. */
  readonly onTrouble: (kind: Trouble, line: string) => void;
}

/** Of what kind something is that did not go as it should. */
export type Trouble = "unreachable" | "broken off" | "odd answer" | "no HTTP" | "not handed on";

export interface ProxyClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some moment, finer, and never going back. */
  precise(): number;
  /** Rejects where the signal ends it. */
  sleep(ms: number, wait: { readonly signal: AbortSignal }): Promise<void>;
}

/** What passed, counted. */
export interface Passed {
  /** Requests that came whole in their headers. */
  readonly requests: number;
  readonly answered: number;
  /** Those that were broken off, by whom. */
  readonly brokenOff: Readonly<Record<BrokenOff, number>>;
  /** Those that the proxy answered itself, since the service could not be reached. */
  readonly unreachable: number;
  /** Connections that sent what is no HTTP. */
  readonly notHttp: number;
  /** Bytes of bodies. */
  readonly requestBytes: number;
  readonly responseBytes: number;
}

export interface ReverseProxy {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  passed(): Passed;
  /** When the earliest request began that is under way, in ms since the Unix epoch; infinity where none is. */
  openSinceMs(): number;
  /** Takes no more connections, and lets what is under way end for at most so long. */
  close(graceMs: number): Promise<void>;
}

/** How many bytes of a body are kept for the judge and the recording; all of them pass. */
const MOST_KEPT = { request: 64 * 1024, response: 1024 * 1024 } as const;
/** Larger than that no header is: what refuses a large one is to be the service. */
const MOST_HEADER_BYTES = 1024 * 1024;
/** The code of Node's error for a request that ended before it was whole. */
const CUT_SHORT = "HPE_INVALID_EOF_STATE";
/** The first byte of a client's TLS connection (RFC 8446, section 5.1). */
const TLS_HANDSHAKE = 22;
/** Methods of which Node frames a body only where it is told how. */
const UNFRAMED: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/**
 * Passes requests on to one service, and its answers back, as they are: bytes, end-to-end headers in their order, status and
 * reason, trailers, each piece when it comes, and a connection that breaks off. What it must alter are the headers of one
 * connection (RFC 9110, section 7.6.1) and `Host`; the order of a request's headers is kept but for one that is sent
 * several times, whose lines come together.
 *
 * @throws {Error} one line, where the address cannot be had
 */
export async function startReverseProxy(options: ReverseProxyOptions): Promise<ReverseProxy> {
  const proxy = new Forwarding(options);
  const { host, port } = options;
  const { server } = proxy;
  const url = await listenOn(server, { host, port });
  return {
    url,
    passed: () => proxy.passed(),
    openSinceMs: () => proxy.openSinceMs(),
    close: (graceMs) => proxy.close(graceMs),
  };
}

/** A request on its way. */
class UnderWay {
  readonly number: number;
  readonly startedMs: number;
  readonly startedAt: number;
  readonly requestBody = new KeptBody(MOST_KEPT.request);
  readonly responseBody = new KeptBody(MOST_KEPT.response);
  /** When the last byte of the answer came, where it is known. */
  endedAt?: number;
  /** The answer's head, once it is there. */
  head?: { readonly status: number; readonly reason: string; readonly headers: Fields };
  /** What became of it, where that is known. */
  end?: "answered" | "unreachable" | BrokenOff;

  constructor(number: number, clock: ProxyClock) {
    this.number = number;
    this.startedMs = clock.now();
    this.startedAt = clock.precise();
  }
}

class Forwarding {
  readonly server: Server;
  readonly #options: ReverseProxyOptions;
  /** How the service is connected to, as Node has it. */
  readonly #service: {
    readonly address: { readonly protocol: string; readonly hostname: string; readonly port: string };
    readonly secure: boolean;
    readonly servername: string;
    /** What `Host` it is asked for. */
    readonly host: string;
  };
  readonly #library = createProxyServer();
  readonly #pairs = new WeakMap<Socket, ConnectionPair>();
  readonly #underWay = new WeakMap<IncomingMessage, UnderWay>();
  /** What is under way, the earliest first. */
  readonly #open = new Map<UnderWay, IncomingMessage>();
  readonly #passed = {
    requests: 0,
    answered: 0,
    brokenOff: { client: 0, service: 0 },
    unreachable: 0,
    notHttp: 0,
    requestBytes: 0,
    responseBytes: 0,
  };

  constructor(options: ReverseProxyOptions) {
    this.#options = options;
    const url = new URL(options.target.origin);
    const { protocol, hostname, port } = urlToHttpOptions(url);
    const name = String(hostname);
    this.#service = {
      address: { protocol: String(protocol), hostname: name, port: String(port ?? "") },
      secure: protocol === "https:",
      servername: isIP(name) === 0 ? name : "",
      host: url.host,
    };
    this.server = createServer({
      maxHeaderSize: MOST_HEADER_BYTES,
      // How long anything may take is for the client and the service to decide.
      requestTimeout: 0,
      headersTimeout: 0,
      keepAliveTimeout: 0,
      requireHostHeader: false,
    });
    this.server.maxHeadersCount = 0;
    const pass = (request: IncomingMessage, response: ServerResponse) => this.#pass(request, response);
    this.server.on("request", pass).on("checkExpectation", pass);
    this.server.on("clientError", (error, socket) => this.#refuse(error, socket as Socket));
    this.#library.on("start", (request) => {
      request.headers = byName(this.#requestHeaders(request));
    });
    this.#library.on("proxyReq", (asked, request) => {
      // Node keeps a head back until some of the body comes.
      if (!request.complete && request.readableLength === 0) asked.flushHeaders();
    });
    this.#library.on("proxyRes", (answer, request, response) => this.#answer(answer, request, response));
  }

  passed(): Passed {
    return { ...this.#passed, brokenOff: { ...this.#passed.brokenOff } };
  }

  openSinceMs(): number {
    const [earliest] = this.#open.keys();
    return earliest?.startedMs ?? Number.POSITIVE_INFINITY;
  }

  async close(graceMs: number): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeIdleConnections();
    const over = new AbortController();
    const grace = this.#options.clock.sleep(graceMs, over).catch(() => {});
    await Promise.race([closed, grace]);
    over.abort();
    this.server.closeAllConnections();
    await closed;
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { target, trusted, clock } = this.#options;
    const { address, servername } = this.#service;
    this.#passed.requests += 1;
    const exchange = new UnderWay(this.#passed.requests, clock);
    this.#underWay.set(request, exchange);
    this.#open.set(exchange, request);
    const pair = this.#pairOf(request.socket);
    pair.begin();
    // Paused, it is read when it is piped on, so that all of it is seen.
    request.pause();
    request.on("data", (chunk: Buffer) => exchange.requestBody.take(chunk));
    response.sendDate = false;
    response.once("close", () => {
      this.#settle(exchange, request);
      pair.end();
    });
    const pathname = target.basePath + originForm(request.url ?? "");
    const ssl = { ...trusted, servername, maxHeaderSize: MOST_HEADER_BYTES };
    this.#library
      .web(request, response, {
        target: { ...address, pathname },
        // The path is in the target, to the byte.
        ignorePath: true,
        agent: pair.agent,
        ssl,
        secure: trusted.rejectUnauthorized,
      })
      .catch((thrown: unknown) => this.#failed(thrown, exchange, request, response, pair));
  }

  #pairOf(socket: Socket): ConnectionPair {
    let pair = this.#pairs.get(socket);
    if (pair === undefined) {
      pair = new ConnectionPair(socket, this.#service.secure, this.#options.trusted);
      this.#pairs.set(socket, pair);
      socket.once("close", () => this.#settleAll(socket));
    }
    return pair;
  }

  /** The headers that the service is sent. */
  #requestHeaders({ rawHeaders, method = "" }: IncomingMessage): Fields {
    const sent = headerPairs(rawHeaders);
    const kept = endToEnd(sent);
    const { host } = this.#service;
    const hosted = this.#options.keepHost
      ? kept
      : kept.map(([name, value]): Header => [name, name.toLowerCase() === "host" ? host : value]);
    const inChunks = valuesOf(sent, "transfer-encoding").length > 0;
    return inChunks && UNFRAMED.has(method) ? [...hosted, ["transfer-encoding", "chunked"]] : hosted;
  }

  /** Sends on the head of an answer; the library pipes the rest, and leaves the head alone where it is sent. */
  #answer(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#underWay.get(request);
    if (exchange === undefined) return;
    const { statusCode: status = 0, statusMessage: reason = "", httpVersion } = answer;
    const headers = headerPairs(answer.rawHeaders);
    exchange.head = { status, reason, headers };
    answer.on("data", (chunk: Buffer) => exchange.responseBody.take(chunk));
    answer.once("end", () => {
      if (answer.rawTrailers.length > 0) response.addTrailers(headerPairs(answer.rawTrailers).map(mutable));
      exchange.endedAt = this.#options.clock.precise();
      if (answer.complete) exchange.end ??= "answered";
    });
    answer.once("error", (error) => {
      if (exchange.end === undefined) this.#brokeOff(exchange, request, thrownLine(error));
    });
    const last =
      endsConnection(headers, httpVersion) ||
      endsConnection(headerPairs(request.rawHeaders), request.httpVersion) ||
      !this.server.listening;
    const own: Fields = [
      ["connection", last ? "close" : "keep-alive"],
      // It is true of this connection, too, which ends with the service's.
      ...(last ? [] : valuesOf(headers, "keep-alive").map((value): Header => ["keep-alive", value])),
    ];
    const sent = [...withoutIdleTrailer(endToEnd(headers)), ...own];
    try {
      response.writeHead(status, reason, sent.flat());
    } catch (thrown) {
      this.#options.onTrouble(
        "odd answer",
        `${request.method} ${request.url}: an answer that no HTTP server may send: ${thrownLine(thrown)}`,
      );
      exchange.end = "service";
      // The library goes on with it, on a connection that is gone: it must find nothing to stumble over.
      Object.assign(answer, { statusCode: 502, statusMessage: "Bad Gateway", headers: {} });
      request.socket.destroy();
    }
  }

  #failed(
    thrown: unknown,
    exchange: UnderWay,
    request: IncomingMessage,
    response: ServerResponse,
    pair: ConnectionPair,
  ): void {
    if (response.destroyed || request.socket.destroyed) return;
    const { onTrouble, target } = this.#options;
    const reason = thrownLine(thrown);
    if (pair.reached || response.headersSent) {
      this.#brokeOff(exchange, request, reason);
      return;
    }
    exchange.end = "unreachable";
    onTrouble("unreachable", `${target.origin} cannot be reached: ${reason}`);
    const { status, headers, body } = unreachable(
      target.origin,
      String((thrown as { code?: unknown }).code),
      reason,
    );
    response.writeHead(status, [...headers, "connection", "close"]).end(body);
    request.unpipe();
    request.resume();
  }

  /** Does to the client what the service did to the proxy. */
  #brokeOff(exchange: UnderWay, request: IncomingMessage, reason: string): void {
    exchange.end ??= "service";
    const { onTrouble } = this.#options;
    onTrouble("broken off", `${request.method} ${request.url}: the service broke off: ${reason}`);
    request.socket.destroy();
  }

  /** Answers a connection on which something came that is no HTTP, and ends it. */
  #refuse(error: NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array }, socket: Socket): void {
    const { code, rawPacket } = error;
    if (!socket.writable || code === "ECONNRESET" || code === CUT_SHORT) {
      socket.destroy();
      return;
    }
    this.#passed.notHttp += 1;
    const line =
      rawPacket?.[0] === TLS_HANDSHAKE
        ? "a connection sent TLS, which the proxy does not speak: clients ask http:// of it"
        : "a connection sent what is no HTTP, and was answered 400 by the proxy";
    this.#options.onTrouble("no HTTP", line);
    socket.end(notHttp());
  }

  /** Tells of all that is left of a connection that has ended: Node does not, of what was to be answered after another. */
  #settleAll(socket: Socket): void {
    for (const [exchange, request] of this.#open)
      if (request.socket === socket) this.#settle(exchange, request);
  }

  /** Tells of a request that has come to its end, once. */
  #settle(exchange: UnderWay, request: IncomingMessage): void {
    const { clock, onExchange } = this.#options;
    const passed = this.#passed;
    if (!this.#open.delete(exchange)) return;
    passed.requestBytes += exchange.requestBody.bytes;
    passed.responseBytes += exchange.responseBody.bytes;
    exchange.end ??= "client";
    if (exchange.end === "unreachable") {
      passed.unreachable += 1;
      return;
    }
    if (exchange.end === "answered") passed.answered += 1;
    else passed.brokenOff[exchange.end] += 1;
    const tookMs = (exchange.endedAt ?? clock.precise()) - exchange.startedAt;
    const { head, end } = exchange;
    const told: PassedExchange = {
      number: exchange.number,
      startedMs: exchange.startedMs,
      // Either end of it may have been cut to a whole millisecond.
      endedMs: exchange.startedMs + Math.ceil(tookMs) + 1,
      tookMs,
      request: {
        method: request.method ?? "",
        target: request.url ?? "",
        headers: headerPairs(request.rawHeaders),
        body: exchange.requestBody.whole(),
        bytes: exchange.requestBody.bytes,
      },
      ...(end === "answered" && head !== undefined
        ? { response: { ...head, body: exchange.responseBody.whole(), bytes: exchange.responseBody.bytes } }
        : {}),
      ...(end === "answered" ? {} : { brokenOff: end }),
    };
    try {
      onExchange(told, this.openSinceMs());
    } catch (thrown) {
      const line = `an exchange could not be handed on: ${thrownLine(thrown)}`;
      this.#options.onTrouble("not handed on", line);
    }
  }
}

/** A request's target as a server takes it that is no proxy of its clients (RFC 9112, sections 3.2.1 and 3.2.2). */
function originForm(target: string): string {
  const [absolute] = /^https?:\/\/[^/?]*/i.exec(target) ?? [];
  if (absolute === undefined) return target;
  const rest = target.slice(absolute.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function mutable([name, value]: Header): [string, string] {
  return [name, value];
}

/** Headers without the announcement of trailers where the answer has a length, and so can have none (RFC 9112, section 7.1.2). */
function withoutIdleTrailer(headers: Fields): Fields {
  if (valuesOf(headers, "content-length").length === 0) return headers;
  return headers.filter(([name]) => name.toLowerCase() !== "trailer");
}
