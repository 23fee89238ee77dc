import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listenOn } from "../adapters/listen-on.ts";
import type { SiteHost } from "../engine/client/client-door.ts";
import type { ClientRequest, StagedAnswer } from "../engine/client/trace.ts";

/** Bytes of a body that are kept of a request: many times what any service takes. */
const MOST_KEPT = 1024 * 1024;
/** Bytes of a body that are read, so that the sender gets to hear the answer; then the connection is closed. */
const MOST_READ = 16 * MOST_KEPT;
/** Bytes that the headers of a request may have. */
const MOST_HEADER_BYTES = 128 * 1024;
/** Idle connections are kept for longer than any task takes: none is to be closed while a client begins to use it. */
const KEPT_MS = 120_000;

/** The most cuts of a body that is sent in pieces. */
const MOST_CUTS = 8;
/** Real time between two pieces. */
const PIECE_MS = 5;

/** Serves scripted services on this machine, each on a port of its own. */
export function httpSites(): SiteHost {
  const servers = new Set<Server>();
  return {
    async open(ask) {
      const server = createServer(
        { maxHeaderSize: MOST_HEADER_BYTES, keepAliveTimeout: KEPT_MS, requestTimeout: 0 },
        (request, response) => void serve(request, response, ask),
      );
      servers.add(server);
      server.maxHeadersCount = 0;
      const url = await listenOn(server, { host: "127.0.0.1", port: 0 });
      // Nobody waits for a server, but for those who ask it.
      server.unref();
      return url;
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      servers.clear();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  ask: (request: ClientRequest) => Promise<StagedAnswer>,
): Promise<void> {
  try {
    const answer = await ask(await requestOf(request));
    if (answer.kind === "lost") {
      request.socket.destroy();
      return;
    }
    const { status, headers, text, delayMs = 0 } = answer;
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    for (const name of new Set(headers.map(([one]) => one.toLowerCase()))) {
      const values = headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
      response.setHeader(name, values);
    }
    // Who speaks HTTP/1.0 knows no chunks (RFC 9112, section 6.1): the pieces end with the connection.
    const isInPieces = response.hasHeader("transfer-encoding");
    if (request.httpVersion === "1.0") response.removeHeader("transfer-encoding");
    const bytes = Buffer.from(text);
    if (isInPieces) {
      for (const piece of piecesOf(bytes)) {
        response.write(piece);
        // Readers put together what is there at the same time.
        await sleep(PIECE_MS, undefined, { ref: false });
      }
      response.end();
      return;
    }
    response.setHeader("content-length", bytes.length);
    response.end(bytes);
  } catch {
    // Whoever asked is gone, or nobody answers any more.
    request.socket.destroy();
  }
}

/** A body, cut within characters of several bytes where it has any, else in the middle. */
function piecesOf(bytes: Buffer): readonly Buffer[] {
  const within = [...bytes.keys()].filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
  const cuts = within.length === 0 ? [bytes.length >> 1] : within.slice(0, MOST_CUTS);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
}

async function requestOf(request: IncomingMessage): Promise<ClientRequest> {
  const { method = "", url = "", rawHeaders } = request;
  const chunks: Buffer[] = [];
  let [kept, read] = [0, 0];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > MOST_READ) throw new Error("the body is endless");
    const piece = chunk.subarray(0, MOST_KEPT - kept);
    kept += piece.length;
    if (piece.length > 0) chunks.push(piece);
  }
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""] as const] : [],
  );
  // Whoever is told of a proxy writes the whole address (RFC 9112, section 3.2.2).
  const target = url.replace(/^http:\/\/[^/?]*(?=[/?])/i, "");
  return { method, target, headers, ...(read === 0 ? {} : { body: Buffer.concat(chunks) }) };
}
