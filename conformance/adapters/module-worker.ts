import { Worker } from "node:worker_threads";
import { type Adapter, AdapterFault, type Connection } from "./adapter.ts";
import type { JsonRpcError } from "./json-rpc.ts";
import { JsonRpcClient } from "./json-rpc-client.ts";
import { oneLine, shown, thrownLine } from "./one-line.ts";
import { initialize, ProtocolConnection } from "./protocol-connection.ts";
import { SharedLog } from "./shared-log.ts";
import { type End, trackingAdapter } from "./tracking-adapter.ts";

/** What the worker is started with. */
export interface ModuleWorkerData {
  readonly file: string;
  readonly logMemory: SharedArrayBuffer;
}

/** How the worker tells a fault: an error answer with what an {@link AdapterFault} says. */
export interface FaultError extends JsonRpcError {
  readonly message: string;
  readonly data: { readonly fatal: boolean };
}

/** Compiling a large module on a busy machine may take longer than any call. */
const LOAD_TIMEOUT_MS = 30_000;

/** Plenty for a service whose stores are bounded; a leak is told by its own fault rather than by a slow machine. */
const MEMORY_MB = 1024;

/**
 * Drives a module by its path, in a thread of its own: a module that loops without end, exits, throws outside of a
 * call or floods its output is a fatal fault and cannot take the kit along.
 *
 * @param options.file the module's path
 * @param options.timeoutMs how long one call may take; 0 is for ever, 5 s by default
 */
export function moduleWorkerAdapter(options: {
  readonly file: string;
  readonly timeoutMs?: number;
}): Adapter {
  const { file, timeoutMs = 5_000 } = options;
  return trackingAdapter("in-process", 1, (track, { id }) => connectWorker(file, timeoutMs, id, track));
}

async function connectWorker(
  file: string,
  timeoutMs: number,
  contract: string,
  track: (end: End) => void,
): Promise<Connection> {
  const log = new SharedLog();
  const worker = new Worker(new URL("./module-worker-entry.mjs", import.meta.url), {
    workerData: { file, logMemory: log.memory } satisfies ModuleWorkerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  const terminate = async () => {
    await worker.terminate();
  };
  track(terminate);
  const client = new JsonRpcClient({
    send: (message) => worker.postMessage(message),
    timeoutMs,
    log: () => log.text(),
    onFatal: terminate,
    errorFault: (_method, error) => faultOf(error, log.text()),
  });
  worker.on("message", (message: unknown) => {
    if (typeof message === "string") client.receive(message);
    else client.fail(`the module sent a message of its own: ${shown(message)}`);
  });
  worker.on("error", (thrown) => client.fail(`the module threw outside of a call: ${thrownLine(thrown)}`));
  worker.on("exit", (code) => client.fail(`the module ended its thread with exit code ${code}`));
  try {
    const loadTimeoutMs = timeoutMs === 0 ? 0 : Math.max(timeoutMs, LOAD_TIMEOUT_MS);
    const info = await initialize(client.call, contract, loadTimeoutMs);
    return new ProtocolConnection({ ...info, transport: "in-process" }, client.call, terminate);
  } catch (fault) {
    await terminate();
    throw fault;
  }
}

function faultOf(error: JsonRpcError, log: string): AdapterFault {
  const { message, data } = error as FaultError;
  return new AdapterFault(oneLine(String(message), 600), {
    fatal: data?.fatal !== false,
    log: log || undefined,
  });
}
