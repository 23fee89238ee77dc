/** The process of a user's module: answers the adapter protocol's messages, which come and go as lines. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { basename } from "node:path";
import { AdapterFault, type ServiceRequest } from "./adapter.ts";
import { PROTOCOL } from "./implementation-info.ts";
import { type InProcessAdapter, type InProcessConnection, inProcessAdapter } from "./in-process.ts";
import { lineSplitter } from "./line-splitter.ts";
import { loadModule } from "./load-module.ts";
import { ANSWERS, type FaultError, LAST_WORDS, REQUESTS } from "./module-process-line.ts";
import { thrownLine } from "./one-line.ts";

const [, , file = ""] = process.argv;
let module: InProcessAdapter | undefined;
/** The services, by their names, which are the numbers in which they were asked for. */
const services = new Map<string, InProcessConnection>();
let asked = 0;

/** The result of a message, as JSON text. */
async function answer(method: string, params: Params): Promise<string> {
  if (method === "initialize") {
    module = inProcessAdapter(await loadModule(file), { name: basename(file) });
    const { info } = await module.connect();
    return JSON.stringify({ protocol: PROTOCOL, ...info });
  }
  if (module === undefined) throw new AdapterFault(`${method} before initialize`, { fatal: true });
  if (method === "start") return start(module, params);
  if (method === "bytesToSign") {
    const bytes = await (await module.connect()).bytesToSign(params.message);
    return JSON.stringify({ base64: Buffer.from(bytes).toString("base64") });
  }
  const connection = services.get(params.service);
  if (connection === undefined) throw new AdapterFault(`${method} of no service`, { fatal: true });
  if (method === "handle") return (await connection.handleText(requestOf(params))) ?? "null";
  if (method === "advance") return JSON.stringify({ nowMs: await connection.advance(params.ms) });
  throw new AdapterFault(`${method} is not a message of the adapter protocol`, { fatal: true });
}

/** A new service, in the place of another where that is named. */
async function start(from: InProcessAdapter, { nowMs, service = `${++asked}` }: Params): Promise<string> {
  let connection = services.get(service);
  if (connection === undefined) {
    connection = await from.connect();
    services.set(service, connection);
  }
  await connection.start(nowMs);
  return JSON.stringify({ service });
}

/** What the messages have for parameters, each some of it. */
type Params = HandleParams & {
  readonly service: string;
  readonly nowMs: number;
  readonly ms: number;
  readonly message: string;
};

/** The parameters of `handle` as they are sent: bytes as base64. */
type HandleParams = ServiceRequest & { readonly bodyBase64?: string };

function requestOf({ bodyBase64, ...request }: HandleParams): ServiceRequest {
  return bodyBase64 === undefined
    ? request
    : { ...request, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
}

/** Requests that are not answered yet. */
let unanswered = 0;
/** Answers that are not written yet. */
let answers: string[] = [];
/** Answers that wait for each other at the most: the kit is to begin while the rest is still being made. */
const MOST_ANSWERS = 8;

async function receive(line: Buffer): Promise<void> {
  unanswered += 1;
  const { id, method, params } = JSON.parse(line.toString());
  let outcome: string;
  try {
    outcome = `"result":${await answer(method, params)}`;
  } catch (thrown) {
    const ours = thrown instanceof AdapterFault;
    const error: FaultError = {
      message: ours ? thrown.message : thrownLine(thrown),
      data: { fatal: !ours || thrown.fatal },
    };
    outcome = `"error":${JSON.stringify(error)}`;
  }
  unanswered -= 1;
  if (answers.length === 0) setImmediate(writeAnswers);
  answers.push(`{"jsonrpc":"2.0","id":${id},${outcome}}\n`);
  // Where nothing else was asked it is written at once: the module may end or block the process next.
  if (unanswered === 0 || answers.length >= MOST_ANSWERS) writeAnswers();
}

function writeAnswers(): void {
  const written = answers;
  answers = [];
  if (written.length > 0) write(written.join(""));
}

function write(text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent);
}

process.on("exit", writeAnswers);
process.on("uncaughtExceptionMonitor", (thrown) => {
  writeAnswers();
  write(`${LAST_WORDS}${JSON.stringify(thrownLine(thrown))}\n`);
});
const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
requests.on(
  "data",
  lineSplitter(Number.POSITIVE_INFINITY, receive, () => {}),
);
// Without the kit there is nothing left to do, whatever the module still has in hand.
requests.on("close", () => process.exit());
