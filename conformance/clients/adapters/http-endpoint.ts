/** Serves a simulated service over HTTP, on a free port of this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { readBytes } from "../../adapters/http-exchange.ts";
import type { SentRequest } from "../history.ts";
import type { ClientResponse } from "../service/response.ts";
import type { RequestHandler } from "./client-adapter.ts";

const MAX_HEADER_BYTES = 128 * 1024;
/** Longer than any launch takes, so that no idle connection closes while a client uses it. */
const KEEP_ALIVE_MS = 120_000;
/** Real time between two chunks of a response body, so that they arrive one by one. */
const CHUNK_INTERVAL_MS = 5;
/** Real time between two bytes of a response that never ends. Shorter than any time limit of a socket. */
const DRIP_INTERVAL_MS = 20;
const MAX_CUTS = 8;
/** Ports of earlier services. A client may keep facts about a service by its URL, so the next one has a new port. */
const usedPorts = new Set<number>();
/** Number of ports to try. If most ports have been used, a service can get one of them. */
const MAX_ATTEMPTS = 100;
/** Waits in real time. */
const delay = (ms: number) => sleep(ms, undefined, { ref: false });

/**
 * @param handle handles requests below the base path (default: there are none)
 * @param refuse handles all other requests. Their path is the whole URL.
 * @param basePath path of the URL, without a slash at its end
 * @param wantedPort port to use if it is free (default: any free port)
 */
export async function serveHttp(
  handle: RequestHandler | undefined,
  refuse: RequestHandler,
  basePath = "",
  wantedPort = 0,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const options = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    const respond = async () => {
      const sent = await readRequest(request, handle && basePath);
      const isInside = sent.path.startsWith("/");
      // Another service can get the port, so no connection remains open for it.
      response.shouldKeepAlive &&= basePath === "";
      await send(await ((isInside && handle) || refuse)(sent, delay), request, response);
    };
    // Fails if the response is lost, the request is too long, the client closed the connection, or no launch
    // is in progress. The request has no socket after it has failed.
    respond().catch(() => socket.destroy());
  });
  server.maxHeadersCount = 0;
  const portOf = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => {
    let attempts = 0;
    server.on("error", () => server.listen(0, "127.0.0.1"));
    server.on("listening", () => {
      attempts += 1;
      const isUsed = portOf() !== wantedPort && usedPorts.has(portOf()) && attempts < MAX_ATTEMPTS;
      if (isUsed) server.close(() => server.listen(0, "127.0.0.1"));
      else resolve();
    });
    server.listen(wantedPort, "127.0.0.1");
  });
  const port = portOf();
  usedPorts.add(port);
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Reads a request. Its path is relative to the base path, or is the whole URL if it is not below it. */
async function readRequest(incoming: IncomingMessage, basePath: string | undefined): Promise<SentRequest> {
  const { method = "", url = "" } = incoming;
  // A client that is configured for a proxy sends the whole URL (RFC 9112, section 3.2.2).
  const whole = url.replace(/^http:\/\/[^/?]*(?=[/?])/i, "");
  const isInside = basePath !== undefined && whole.startsWith(`${basePath}/`);
  const path = isInside ? whole.slice(basePath.length) : `http://${incoming.headers.host}${whole}`;
  const headers = incoming.headersDistinct as SentRequest["headers"];
  return { method, path, headers, bytes: await readBytes(incoming) };
}

async function send(
  response: ClientResponse | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (response === undefined) throw new Error("the response is lost");
  const { breaks } = response;
  outgoing.statusCode = response.envelope.status;
  outgoing.setHeader("content-type", "application/json");
  for (const [name, value] of Object.entries(response.headers)) outgoing.setHeader(name, value);
  const body = Buffer.from(response.text);
  if (breaks === "drip") outgoing.setHeader("transfer-encoding", "chunked");
  const isChunked = outgoing.hasHeader("transfer-encoding");
  // HTTP/1.0 has no chunks (RFC 9112, section 6.1). The body then ends with the connection.
  if (incoming.httpVersion === "1.0") outgoing.removeHeader("transfer-encoding");
  if (!isChunked) outgoing.setHeader("content-length", body.length);
  if (breaks !== undefined && breaks !== "answer")
    await new Promise((resolve) => outgoing.write(body.subarray(0, body.length >> 1), resolve));
  if (breaks === "closed") throw new Error("the second half of the response is lost");
  while (breaks === "drip" && !outgoing.destroyed) {
    outgoing.write(" ");
    await delay(DRIP_INTERVAL_MS);
  }
  if (breaks !== undefined) return;
  for (const chunk of isChunked ? chunksOf(body) : []) {
    outgoing.write(chunk);
    await delay(CHUNK_INTERVAL_MS);
  }
  outgoing.end(isChunked ? undefined : body);
}

/** Splits a body inside multi-byte UTF-8 characters, or in the middle if it has none. */
function chunksOf(body: Buffer): readonly Buffer[] {
  const isContinuationByte = (index: number) => ((body[index] ?? 0) & 0xc0) === 0x80;
  const insideCharacters = [...body.keys()].filter(isContinuationByte).slice(0, MAX_CUTS);
  const cuts = insideCharacters.length > 0 ? insideCharacters : [body.length >> 1];
  return [0, ...cuts].map((start, index) => body.subarray(start, cuts[index] ?? body.length));
}
