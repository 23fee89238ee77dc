/** Reaches a server over HTTP (contract, "What the service does"; adapter protocol, "Over HTTP"). */
import { once, setMaxListeners } from "node:events";
import { Agent, METHODS } from "node:http";
import { Agent as SecureAgent } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { isObject, show } from "../data/json.ts";
import { errorText, escapeText } from "../data/text.ts";
import {
  type Adapter,
  ConnectionLost,
  exactBody,
  ImplementationError,
  type Request,
  type Service,
  Unsupported,
} from "./adapter.ts";
import { exchange, type HttpRequest, type HttpServer, type OnFailure } from "./http-exchange.ts";
import { readInfo, signedBytesOf } from "./info.ts";
import {
  askForBytes,
  type Carrier,
  initialize,
  Recovery,
  type RemoteOptions,
  readAnswer,
  startService,
} from "./protocol.ts";
import { reasonAgainst } from "./wrong-server.ts";

export interface HttpAdapterOptions extends RemoteOptions {
  /** Base URL of the service. Its path precedes the paths of the contract. */
  readonly url: string;
  /** URL for all messages but `handle`. Without this URL, the clock is real, and there are no restarts. */
  readonly controlUrl?: string | undefined;
  /** The adapter protocol's facts. Required without a control URL. */
  readonly facts?: unknown;
  /**
   * The names of which the body of the probe's response has at least one as a member, so that a wrong server
   * is noticed (default: any server that listens is accepted). Not used with a control URL.
   */
  readonly members?: ReadonlySet<string> | undefined;
}

/** Minimum timeout of the probe that follows a failure, in ms. */
const PROBE_TIMEOUT_MS = 5_000;
/** Maximum number of open connections to the server. */
const MAX_SOCKETS = 128;
/** Idle timeout of a connection, in ms. Short, so that the server does not close it during a request. */
const IDLE_TIMEOUT_MS = 500;
/** Time limit for opening the connections of requests that are sent together, in ms. */
const CONNECT_MS = 5_000;
/**
 * Time between the creation of requests that are sent together and their first byte, in ms. Meanwhile, the
 * server accepts the connections. On a busy machine, a process that has rested is seldom interrupted, so the
 * last request leaves before the server has processed the first one.
 */
const REST_MS = 25;
/** Time limit of `shutdown`, in ms. */
const SHUTDOWN_MS = 2_000;

/**
 * Connects to a server. All vectors share its one service.
 * @throws {ImplementationError} if a URL is invalid, the server cannot be reached, or its info is invalid
 */
export async function openServer(options: HttpAdapterOptions): Promise<Adapter> {
  const { url, controlUrl, timeoutMs, clock, maxWaitMs, contract } = options;
  const recovery = new Recovery();
  const server = serverAt(url, "--url", timeoutMs);
  const control = controlUrl === undefined ? undefined : serverAt(controlUrl, "--control-url", timeoutMs);
  const carrier = control && controlCarrier(control, recovery.recordFailure);
  const info = carrier ? await initialize(carrier.call, "http", options) : statedInfo(options);
  if (carrier === undefined) await requireServer(server, options);
  const takeSocket = connectionsOfGroups(server.url);

  const start = async (nowMs: number): Promise<Service> => {
    let hasHung = false;
    const onFailure: OnFailure = (error, isHang) => {
      // All hangs of one service count as one hang.
      recovery.recordFailure(error, isHang && !hasHung);
      hasHung ||= isHang;
    };
    const startAt = (to: HttpServer) => {
      const send = async (request: Request) => {
        const message = mapRequest(request, to.basePath);
        const { location, ...envelope } = await exchange(to, message, onFailure, await takeSocket());
        const refusal = refusalOfServer(message, envelope, location);
        if (refusal !== undefined) throw new Unsupported(`the HTTP server ${refusal}`);
        return envelope;
      };
      return startService({ info, carrier, clock, maxWaitMs, send }, nowMs);
    };
    return recovery.connect(clock, async (mustCheck) => {
      if (mustCheck) {
        // A restarted server does not know the earlier service.
        if (carrier !== undefined) Object.assign(carrier, { service: undefined, nowMs: undefined });
        // Requests that still hang may slow the server down, so the probe gets more time.
        const patientMs = timeoutMs === 0 ? 0 : Math.max(timeoutMs, PROBE_TIMEOUT_MS);
        await (await startAt({ ...server, timeoutMs: patientMs })).handle(contract.probe);
      }
      return startAt(server);
    });
  };

  return {
    info,
    hasSeparateServices: false,
    get lost() {
      return recovery.lost;
    },
    start,
    async bytesToSign(message) {
      const { signedBytes } = info.facts;
      if (signedBytes !== "adapter") return signedBytesOf(signedBytes, message);
      if (carrier !== undefined) return askForBytes(carrier.call, message);
      throw new ImplementationError("bytesToSign requires a control URL; add --control-url");
    },
    async close() {
      await carrier?.call("shutdown", {}, SHUTDOWN_MS).catch(() => {});
      control?.agent.destroy();
      server.agent.destroy();
    },
  };
}

/** @param option name of the option, for messages. @throws {ImplementationError} */
function serverAt(text: string, option: string, timeoutMs: number): HttpServer {
  const fail = (reason: string): never => {
    throw new ImplementationError(`${option} ${escapeText(text, 200)}: ${reason}`);
  };
  if (!URL.canParse(text)) fail("expected a URL, such as http://127.0.0.1:8080");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") fail("must start with http:// or https://");
  if (url.username !== "" || url.password !== "") fail("must not have credentials");
  if (url.search !== "" || url.hash !== "") fail("must not have a query or a fragment");
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_TIMEOUT_MS };
  const agent = url.protocol === "https:" ? new SecureAgent(options) : new Agent(options);
  return { url, agent, basePath: url.pathname.replace(/\/+$/, ""), timeoutMs };
}

/** Returns the user's statements about a server without a control URL. @throws {ImplementationError} */
function statedInfo({ url, facts }: HttpAdapterOptions) {
  const { metadataHosts, signedBytes } = isObject(facts) ? facts : {};
  if (metadataHosts === undefined)
    throw new ImplementationError("--url: metadata hosts are missing; add --metadata-hosts or --facts");
  if (signedBytes === "adapter")
    throw new ImplementationError('facts.signedBytes "adapter" requires a control URL; add --control-url');
  const implementation = { name: url, version: "unversioned" };
  const capabilities = { clock: "real", restart: false };
  return readInfo({ implementation, capabilities, facts }, "facts", "http", true);
}

/** @throws {ImplementationError} if nothing listens at the URL or, with `members`, if it is a wrong server */
async function requireServer(server: HttpServer, { contract, members }: HttpAdapterOptions): Promise<void> {
  const { url, basePath } = server;
  const address = addressOf(url);
  if (members !== undefined) {
    const reason = await reasonAgainst(server, mapRequest(contract.probe, basePath), address, members);
    if (reason !== undefined) throw new ImplementationError(`--url ${url.origin}${basePath} ${reason}`);
    return;
  }
  const socket = connect(address);
  try {
    await once(socket, "connect");
  } catch (error) {
    throw new ImplementationError(`--url ${url.origin} cannot be reached: ${errorText(error)}`);
  } finally {
    socket.destroy();
  }
}

function addressOf({ hostname, port, protocol }: URL) {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const servername = isIP(host) === 0 ? host : "";
  return { host, port: Number(port) || (protocol === "https:" ? 443 : 80), servername };
}

/**
 * Returns a function that each request calls for its connection. If only one request calls the function in a
 * turn of the event loop, the result is undefined, and the request uses a kept connection. Otherwise, the
 * results are new connections, as soon as all of them are open, so that no request has to wait for its
 * connection while the server processes the others.
 */
function connectionsOfGroups(url: URL): () => Promise<Socket | undefined> {
  let group: { count: number; readonly sockets: Promise<readonly Socket[]> } | undefined;
  /** Whether the server did not accept all connections of a group. */
  let isNarrow = false;
  const openAll = async (count: number): Promise<readonly Socket[]> => {
    if (count === 1 || isNarrow) return [];
    const sockets = Array.from({ length: count }, () => openSocket(url));
    const event = url.protocol === "https:" ? "secureConnect" : "connect";
    const signal = AbortSignal.timeout(CONNECT_MS);
    // Node warns of more than ten listeners.
    setMaxListeners(0, signal);
    try {
      await Promise.all(sockets.map((socket) => once(socket, event, { signal })));
    } catch {
      // The requests open connections themselves, and report the failure.
      isNarrow ||= signal.aborted;
      for (const socket of sockets) socket.destroy();
      return [];
    }
    for (const socket of sockets) socket.cork();
    const send = () => {
      for (const socket of sockets) socket.uncork();
    };
    setTimeout(send, REST_MS);
    return sockets;
  };
  const closeGroup = () => {
    const count = group?.count ?? 0;
    group = undefined;
    return openAll(count);
  };
  return async () => {
    group ??= { count: 0, sockets: Promise.resolve().then(closeGroup) };
    const { sockets } = group;
    const index = group.count++;
    return (await sockets)[index];
  };
}

function openSocket(url: URL): Socket {
  const address = addressOf(url);
  const socket = url.protocol === "https:" ? connectSecurely(address) : connect(address);
  // The request that uses the connection reports its errors.
  return socket.on("error", () => {});
}

/** Posts each message to the control URL. */
function controlCarrier(control: HttpServer, onFailure: OnFailure): Carrier {
  let lastId = 0;
  return {
    async call(method, params, timeoutMs = control.timeoutMs) {
      const id = ++lastId;
      const headers = { accept: "application/json", "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const message = { method: "POST", path: control.basePath || "/", headers, body };
      const response = await exchange({ ...control, timeoutMs }, message, onFailure).catch((error: Error) => {
        const type = error instanceof ConnectionLost ? ConnectionLost : ImplementationError;
        throw new type(`${method}: the control URL failed: ${error.message}`);
      });
      const { id: answered, result, error, invalid } = readAnswer(response.body);
      const fail = (reason: string) => new ImplementationError(`${method}: the control URL ${reason}`);
      if (error !== undefined) throw fail(`answered with ${error}`);
      if (response.status !== 200)
        throw fail(`answered with status ${response.status}: ${show(response.body)}; expected 200`);
      if (invalid !== undefined) throw fail(`answered with an invalid message: ${invalid}`);
      if (answered !== id) throw fail(`answered request ${show(answered)}, not ${id}`);
      return result;
    },
  };
}

/** Paths with an empty or dot segment. Servers rewrite or redirect them (RFC 3986, section 6.2.2.3). */
const REWRITTEN_PATH = /^[^?]*\/(?:\.{0,2}\/|\.{1,2}(?:$|\?))/;
/** A path, and a query if there is one (RFC 9112, section 3.2.1; RFC 3986, section 3). Servers refuse others. */
const PATH = /^\/[\w.~%!$&'()*+,;=:@/?-]*$/;
/** Visible characters, spaces, tabs, and bytes up to 0xff (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Methods whose response need not have a body (RFC 9110, sections 9.3.2 and 9.3.7). */
const ANSWERED_BY_SERVERS: ReadonlySet<string> = new Set(["HEAD", "OPTIONS"]);

/** Maps a request to HTTP. @throws {Unsupported} if HTTP cannot carry it unchanged to every server */
export function mapRequest(request: Request, basePath: string): HttpRequest {
  const { method, path, bearer, idempotencyKey, authorization, chunked = false } = request;
  if (!METHODS.includes(method))
    throw new Unsupported("HTTP servers refuse the method before the service sees the request");
  if (method === "CONNECT") throw new Unsupported("a CONNECT request only opens a tunnel");
  if (request.statusOnly !== true && ANSWERED_BY_SERVERS.has(method))
    throw new Unsupported(`HTTP servers may respond to ${method} themselves, without the service`);
  if (!PATH.test(path)) throw new Unsupported("the path has characters that HTTP cannot carry");
  if (REWRITTEN_PATH.test(path))
    throw new Unsupported("the path has empty or dot segments, which HTTP servers rewrite");
  if (!isDecodable(path))
    throw new Unsupported(
      "the path is not percent-encoded UTF-8, so HTTP servers refuse it before the service sees it",
    );
  const headers: Record<string, string> = { accept: "application/json" };
  if (bearer !== undefined) headers["authorization"] = `Bearer ${fieldValue(bearer, "bearer")}`;
  if (authorization !== undefined) headers["authorization"] = fieldValue(authorization, "authorization");
  if (idempotencyKey !== undefined)
    headers["idempotency-key"] = fieldValue(idempotencyKey, "idempotency key");
  const body = exactBody(request.body);
  if (body !== undefined) headers["content-type"] = "application/json";
  return { method, path: basePath + path, headers, chunked, ...(body === undefined ? {} : { body }) };
}

/** Returns whether two hexadecimal digits follow each percent sign, and the bytes are UTF-8 (RFC 3986, section 2). */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Methods for which a server may refuse any content (RFC 9110, sections 9.3.1, 9.3.2, and 9.3.5). */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);
/** Status with which a server refuses a body without Content-Length (RFC 9110, section 15.5.12). */
const LENGTH_REQUIRED = 411;

/** Returns what a server does instead of passing the request to the service. Undefined if the service may respond. */
function refusalOfServer(
  { method, path, body, chunked = false }: HttpRequest,
  response: { readonly status: number; readonly body: unknown },
  location: string | undefined,
): string | undefined {
  const { status } = response;
  const isPage = status >= 400 && status < 500 && !isObject(response.body);
  if (body !== undefined && isPage && WITHOUT_CONTENT.has(method))
    return `refuses ${method} requests with content`;
  if (chunked && status === LENGTH_REQUIRED) return "refuses bodies of unknown length";
  const target = location?.replace(/^https?:\/\/[^/]*/i, "");
  const isRedirect = status >= 300 && status < 400;
  return isRedirect && `${target}/` === path
    ? "redirects to the path without the slash at its end"
    : undefined;
}

function fieldValue(value: string, name: string): string {
  if (!FIELD_VALUE.test(value)) throw new Unsupported(`the ${name} has characters that HTTP cannot carry`);
  if (value !== value.trim())
    throw new Unsupported(`the ${name} starts or ends with white space, which HTTP removes`);
  return value;
}
