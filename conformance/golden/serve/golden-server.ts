import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isLoopback } from "../../adapters/is-loopback.ts";
import { listenOn } from "../../adapters/listen-on.ts";
import { suggestion } from "../../engine/data/schema.ts";
import type { Fixture } from "../fixture.ts";
import { canonicalBody, nearest, type Place, type Received, Walks, type Wanted } from "./walks.ts";

export interface GoldenServer {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Ends the server and every connection to it. */
  close(): Promise<void>;
}

/** Says in an answer which fixture gave it, and lets a request choose one: `happy-path; step=3`, or the name alone. */
const FIXTURE_HEADER = "x-golden-fixture";

/** Far more than any recorded body. */
const MOST_BYTES = 65_536;

/**
 * Answers HTTP requests from recorded exchanges: one whose method, path, bearer, key and canonical body are those of
 * the request. Where there is none, 404 with what is nearest and how the request departs from it.
 *
 * @param options.host a loopback address
 * @param options.port 0 for any free port
 * @throws {Error} one line, where the port cannot be had
 */
export async function serveGolden(
  fixtures: readonly Fixture[],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<GoldenServer> {
  const walks = new Walks(fixtures);
  const server = createServer((request, response) => {
    if (!isOwnHost(request)) {
      return refuse(response, 421, {
        error: "the Host header must be a loopback name with the port of this server",
      });
    }
    // A client that is gone gets no answer.
    answer(walks, request, response).catch(() => response.destroy());
  });
  const url = await listenOn(server, { host, port });
  return {
    url,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether a request names this machine and port: a web page whose name leads here by rebinding comes with its own. */
function isOwnHost({ headers: { host }, socket }: IncomingMessage): boolean {
  const [, name = "", port = "80"] = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host ?? "") ?? [];
  return isLoopback(name) && Number(port) === socket.localPort;
}

async function answer(walks: Walks, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await bodyOf(request);
  if (bytes === undefined) {
    // What is still to come of the body is thrown away, and the connection with it.
    request.resume();
    response.setHeader("connection", "close");
    return refuse(response, 413, { error: `no fixture has a body of more than ${MOST_BYTES} bytes` });
  }
  const received: Received = {
    method: request.method ?? "",
    path: request.url ?? "",
    bearer: bearerOf(header(request, "authorization")),
    idempotencyKey: header(request, "idempotency-key"),
    body: canonicalBody(bytes),
  };
  const wanted = wantedBy(header(request, FIXTURE_HEADER));
  const place = walks.take(received, wanted);
  if (place === undefined) return refuse(response, 404, notFound(walks, received, wanted));
  const { status, headers, body } = place.step.http.response;
  for (const { name, value } of headers) response.setHeader(name, value);
  response.setHeader(FIXTURE_HEADER, nameOf(place));
  response.statusCode = status;
  response.end(body);
}

/** Why no fixture answers, for a person to read: it is no answer of the service. */
function notFound({ places, expected }: Walks, received: Received, wanted: Wanted | undefined): object {
  const chosen = places.filter(({ fixture }) => wanted === undefined || fixture.name === wanted.name);
  if (wanted !== undefined && chosen.length === 0) {
    const names = new Set(places.map(({ fixture }) => fixture.name));
    return {
      error: `there is no fixture "${wanted.name}"${suggestion(wanted.name, names)}`,
      fixtures: [...names],
    };
  }
  // Of equally near exchanges, one that goes on with what the client did so far is meant.
  const going = expected.filter((place) => chosen.includes(place));
  const found = nearest(received, [...going, ...chosen]);
  if (found === undefined) return { error: "there are no fixtures" };
  const { place, differences } = found;
  return {
    error: `no golden fixture${wanted === undefined ? "" : ` named ${wanted.name}`} has this request`,
    nearest: {
      fixture: place.fixture.name,
      step: place.step.step,
      title: place.fixture.title,
      differences: differences.length > 0 ? differences : ["none: the request stands there at another step"],
    },
  };
}

function refuse(response: ServerResponse, status: number, body: object): void {
  response.setHeader("content-type", "application/json");
  response.setHeader(FIXTURE_HEADER, "none");
  response.statusCode = status;
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}

function nameOf({ fixture, step }: Place): string {
  return `${fixture.name}; step=${step.step}`;
}

/** `happy-path` or `happy-path; step=3`. */
function wantedBy(text: string | undefined): Wanted | undefined {
  const [, name, step] = /^\s*([^;\s]+)\s*(?:;\s*step=(\d{1,6}))?\s*$/.exec(text ?? "") ?? [];
  if (name === undefined) return text === undefined ? undefined : { name: text.slice(0, 100) };
  return step === undefined ? { name } : { name, step: Number(step) };
}

/** Reads a body to its end; undefined where it is larger than any that was recorded. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Left early, the loop must leave the connection open for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function header(request: IncomingMessage, name: string): string | undefined {
  return request.headersDistinct[name]?.join(", ");
}

/** The credentials of the Bearer scheme, whose name has no case (RFC 9110, section 11.1). */
function bearerOf(authorization: string | undefined): string | undefined {
  const match = /^Bearer(?: +(.*))?$/i.exec(authorization ?? "");
  return match === null ? undefined : (match[1] ?? "");
}
