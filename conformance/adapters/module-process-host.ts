/** The process of a user's module: answers the adapter protocol's messages, which come and go as lines. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { basename } from "node:path";
import { AdapterFault, type ServiceRequest } from "./adapter.ts";
import { PROTOCOL } from "./implementation-info.ts";
import { type InProcessConnection, inProcessAdapter } from "./in-process.ts";
import { lineSplitter } from "./line-splitter.ts";
import { loadModule } from "./load-module.ts";
import { ANSWERS, type FaultError, LAST_WORDS, REQUESTS } from "./module-process-line.ts";
import { thrownLine } from "./one-line.ts";

const [, , file = ""] = process.argv;
let connection: InProcessConnection | undefined;

/** The result of a message, as JSON text. */
async function answer(method: string, params: unknown): Promise<string> {
  if (method === "initialize") {
    connection = await inProcessAdapter(await loadModule(file), { name: basename(file) }).connect();
    return JSON.stringify({ protocol: PROTOCOL, ...connection.info });
  }
  if (connection === undefined) throw new AdapterFault(`${method} before initialize`, { fatal: true });
  switch (method) {
    case "start":
      await connection.start((params as { nowMs: number }).nowMs);
      return "{}";
    case "handle":
      return (await connection.handleText(requestOf(params as HandleParams))) ?? "null";
    case "advance":
      return JSON.stringify({ nowMs: await connection.advance((params as { ms: number }).ms) });
    case "bytesToSign": {
      const bytes = await connection.bytesToSign((params as { message: string }).message);
      return JSON.stringify({ base64: Buffer.from(bytes).toString("base64") });
    }
    default:
      throw new AdapterFault(`${method} is not a message of the adapter protocol`, { fatal: true });
  }
}

/** The parameters of `handle` as they are sent: bytes as base64. */
type HandleParams = ServiceRequest & { readonly bodyBase64?: string };

function requestOf({ bodyBase64, ...request }: HandleParams): ServiceRequest {
  return bodyBase64 === undefined
    ? request
    : { ...request, body: new Uint8Array(Buffer.from(bodyBase64, "base64")) };
}

async function receive(line: Buffer): Promise<void> {
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
  send(`{"jsonrpc":"2.0","id":${id},${outcome}}\n`);
}

/** Writes at once: what is said before the module ends or blocks the process must not be lost. */
function send(text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(ANSWERS, bytes, sent);
}

process.on("uncaughtExceptionMonitor", (thrown) => {
  send(`${LAST_WORDS}${JSON.stringify(thrownLine(thrown))}\n`);
});
const requests = new Socket({ fd: REQUESTS, readable: true, writable: false });
requests.on(
  "data",
  lineSplitter(Number.POSITIVE_INFINITY, receive, () => {}),
);
// Without the kit there is nothing left to do, whatever the module still has in hand.
requests.on("close", () => process.exit());
