import { fileURLToPath } from "node:url";
import type { Adapter, ImplementationInfo } from "./adapter.ts";
import { type Host, hostsAdapter } from "./hosts.ts";
import type { Call, JsonRpcClient } from "./json-rpc-client.ts";
import { startNodeProcess } from "./node-process.ts";
import { initialize, ProtocolConnection, type SharedCarrier } from "./protocol-connection.ts";
import type { End } from "./tracking-adapter.ts";

/** Compiling a large module on a busy machine may take longer than any call. */
const LOAD_TIMEOUT_MS = 30_000;

/** Services that a module's process holds at once, where the module does not say. */
const USUAL_SERVICES = 32;

/** How a module is run in a process of its own. */
export interface ModuleProcessOptions {
  /** The module's path. */
  readonly file: string;
  /** How many processes there are to be; 1 unless told. */
  readonly jobs?: number;
  /** How long one call may take, in milliseconds; 0 is for ever, 5 s by default. */
  readonly timeoutMs?: number;
  /** Told the process id, for a debugger. */
  readonly onSpawn?: (pid: number) => void;
  /** How large the heap of the process may grow, in MiB; 1024 by default. With all else it may use 512 more. */
  readonly heapMb?: number;
}

/** The first file of the process. */
const ENTRY = new URL("./module-process-entry.mjs", import.meta.url);

/**
 * Drives a module by its path, in a process of its own: a module that loops without end, exits, aborts, throws outside
 * of a call, floods its output or fills the memory is a fatal fault and cannot take the kit along.
 */
export function moduleProcessAdapter(options: ModuleProcessOptions): Adapter {
  return hostsAdapter("in-process", options.jobs ?? 1, (track, { id }) => startProcess(options, id, track));
}

async function startProcess(
  { timeoutMs = 5_000, ...options }: ModuleProcessOptions,
  contract: string,
  track: (end: End) => void,
): Promise<Host> {
  const entry = fileURLToPath(ENTRY);
  const { client, end } = startNodeProcess({ ...options, entry, timeoutMs }, track);
  try {
    const info = await initialize(client.call, contract, loadTimeoutOf(timeoutMs));
    return moduleHost({ ...info, transport: "in-process" }, client, end);
  } catch (fault) {
    await end();
    throw fault;
  }
}

/** How long a module may take to load, in milliseconds, where a call may take so long; 0 is for ever. */
export function loadTimeoutOf(timeoutMs: number): number {
  return timeoutMs === 0 ? 0 : Math.max(timeoutMs, LOAD_TIMEOUT_MS);
}

/**
 * A module's process, which is left to whoever connects next: starting one takes as long as thousands of calls. Where the
 * module does not say how many services it holds, they are as many as its `createService` is asked for.
 */
function moduleHost(info: ImplementationInfo, client: JsonRpcClient, end: End): Host {
  const { instances: services = USUAL_SERVICES } = info.capabilities;
  const carrier: SharedCarrier = { free: [] };
  return {
    services,
    lasting: true,
    end,
    get alive() {
      return client.fault === undefined && !client.overdue;
    },
    line: (close) => new ModuleConnection(info, client.call, close, carrier),
  };
}

class ModuleConnection extends ProtocolConnection {
  readonly #send: Call;
  #nowMs = 0;

  constructor(info: ImplementationInfo, call: Call, end: End, carrier: SharedCarrier) {
    super(info, call, end, carrier);
    this.#send = call;
  }

  override async start(nowMs: number): Promise<void> {
    await super.start(nowMs);
    this.#nowMs = nowMs;
  }

  /** The kit's own clock is the service's, so that nobody has to wait to hear where it stands. */
  override async advance(ms: number): Promise<number> {
    // A conversation that is over is told by the next call that waits for its answer.
    this.#send("advance", { ms, service: this.service }).catch(() => {});
    this.#nowMs += ms;
    return this.#nowMs;
  }
}
