/**
 * What stands before a service on the web: passes requests on, in the condition that its argument names, to the port
 * of the other. Prints its own port.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ROUTES } from "../../conformance/contract/operations.ts";
import { conditionNamed, delayOf } from "./conditions.ts";

const [name, port] = process.argv.slice(2);
const condition = conditionNamed(name);
const METHODS: ReadonlyMap<string, string> = new Map(
  Object.values(ROUTES).map(({ method, path }) => [path, method]),
);
/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const OWN = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"]);

const server = createServer((asked, answer) => void pass(asked, answer));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = await buffer(asked);
  // One of several services is asked below a path of its own.
  const path = asked.url?.replace(/^\/control\/services\/\w+/, "") ?? "";
  const method = METHODS.get(path);
  if (condition.front === "framework" && method !== undefined && method !== asked.method) {
    answer.writeHead(405, { allow: method, "content-type": "text/plain" }).end("Method Not Allowed");
    return;
  }
  const isControl = path === "/control";
  const ms = isControl ? 0 : delayOf(condition, body);
  if (ms > 0) await sleep(ms);
  const added = {
    host: `127.0.0.1:${port}`,
    ...(body.length > 0 || asked.method === "POST" ? { "content-length": `${body.length}` } : {}),
    ...(condition.front === "proxy" ? { via: "1.1 front", "x-forwarded-for": "192.0.2.7" } : {}),
  };
  const onward = request({
    host: "127.0.0.1",
    port: Number(port),
    method: asked.method,
    path: asked.url,
    headers: { ...passedOn(asked), ...added },
  });
  onward.on("response", (given) => void giveBack(given, answer, isControl));
  onward.on("error", () =>
    answer.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>"),
  );
  onward.end(body);
}

async function giveBack(given: IncomingMessage, answer: ServerResponse, isControl: boolean): Promise<void> {
  const text = await buffer(given);
  const added = condition.front === "proxy" ? { via: "1.1 front", "x-request-id": "field" } : {};
  answer.writeHead(given.statusCode ?? 502, { ...passedOn(given), ...added });
  answer.end(isControl && condition.lacks !== undefined ? without(condition.lacks, text) : text);
}

/** The answer to `initialize` without a capability; other answers as they are. */
function without(capability: string, text: Buffer): string {
  const answer = JSON.parse(text.toString());
  if (answer.result?.capabilities !== undefined) answer.result.capabilities[capability] = false;
  return JSON.stringify(answer);
}

function passedOn({ headersDistinct }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headersDistinct).filter(([header]) => !OWN.has(header)));
}
