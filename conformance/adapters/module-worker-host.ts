/** The thread of a user's module: answers the adapter protocol's messages, received from the kit's thread. */
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { AdapterFault, type Connection, type ServiceRequest } from "./adapter.ts";
import { PROTOCOL } from "./implementation-info.ts";
import { inProcessAdapter } from "./in-process.ts";
import { loadModule } from "./load-module.ts";
import type { FaultError, ModuleWorkerData } from "./module-worker.ts";
import { thrownLine } from "./one-line.ts";
import { SharedLog } from "./shared-log.ts";

const { file, logMemory } = workerData as ModuleWorkerData;
const log = new SharedLog(logMemory);
for (const stream of [process.stdout, process.stderr]) {
  // Straight into shared memory: a stream would pass messages, which pile up while the module loops.
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    log.append(chunk);
    const done = rest.find((argument) => typeof argument === "function");
    if (done !== undefined) queueMicrotask(done as () => void);
    return true;
  };
}

let connection: Connection | undefined;

async function answer(method: string, params: unknown): Promise<unknown> {
  if (method === "initialize") {
    connection = await inProcessAdapter(await loadModule(file), { name: basename(file) }).connect();
    return { protocol: PROTOCOL, ...connection.info };
  }
  if (connection === undefined) throw new AdapterFault(`${method} before initialize`, { fatal: true });
  switch (method) {
    case "start":
      await connection.start((params as { nowMs: number }).nowMs);
      return {};
    case "handle":
      return (await connection.handle(requestOf(params as HandleParams))) ?? null;
    case "advance":
      return { nowMs: await connection.advance((params as { ms: number }).ms) };
    case "bytesToSign": {
      const bytes = await connection.bytesToSign((params as { message: string }).message);
      return { base64: Buffer.from(bytes).toString("base64") };
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

parentPort?.on("message", async (message: string) => {
  const { id, method, params } = JSON.parse(message);
  try {
    parentPort?.postMessage(JSON.stringify({ jsonrpc: "2.0", id, result: await answer(method, params) }));
  } catch (thrown) {
    const ours = thrown instanceof AdapterFault;
    const error: FaultError = {
      message: ours ? thrown.message : thrownLine(thrown),
      data: { fatal: !ours || thrown.fatal },
    };
    parentPort?.postMessage(JSON.stringify({ jsonrpc: "2.0", id, error }));
  }
});
