import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Adapter, AdapterFault, type ImplementationInfo } from "./adapter.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import { type Host, hostsAdapter } from "./hosts.ts";
import type { JsonRpcError } from "./json-rpc.ts";
import { type Call, JsonRpcClient } from "./json-rpc-client.ts";
import { lineSplitter } from "./line-splitter.ts";
import { lineWriter } from "./line-writer.ts";
import { ANSWERS, type FaultError, LAST_WORDS, REQUESTS } from "./module-process-line.ts";
import { oneLine } from "./one-line.ts";
import { type ProcessGroup, spawnGroup } from "./process-group.ts";
import { initialize, ProtocolConnection, type SharedCarrier } from "./protocol-connection.ts";
import { watchMemory } from "./resident-memory.ts";
import { TailLog } from "./tail-log.ts";
import { type End, once } from "./tracking-adapter.ts";

/** Compiling a large module on a busy machine may take longer than any call. */
const LOAD_TIMEOUT_MS = 30_000;

/** Plenty for a service whose stores are bounded; a leak is told by its own fault rather than by a slow machine. */
const HEAP_MB = 1024;
/** What a process may use besides its heap: Node itself, and buffers. */
const BESIDES_MB = 512;

/** Services that a module's process holds at once, where the module does not say. */
const USUAL_SERVICES = 16;

/** What the process said may still be in a pipe for this long after it is known to be gone. */
const AFTERMATH_MS = 200;

/** What is around an answer in its line. */
const LINE_BYTES = MAX_ANSWER_BYTES + 1024;

/** How a module is run in a process of its own. */
export interface ModuleProcessOptions {
  /** The module's path. */
  readonly file: string;
  /** How long one call may take, in milliseconds; 0 is for ever, 5 s by default. */
  readonly timeoutMs?: number;
  /** Told the process id of each process as it starts, for a debugger. */
  readonly onSpawn?: (pid: number) => void;
  /** How large the heap of the process may grow, in MiB; 1024 by default. With all else it may use 512 more. */
  readonly heapMb?: number;
}

/**
 * Drives a module by its path, in a process of its own: a module that loops without end, exits, aborts, throws outside
 * of a call, floods its output or fills the memory is a fatal fault and cannot take the kit along.
 */
export function moduleProcessAdapter(options: ModuleProcessOptions): Adapter {
  return hostsAdapter("in-process", 1, (track, { id }) => startProcess(options, id, track));
}

async function startProcess(
  { file, timeoutMs = 5_000, onSpawn, heapMb = HEAP_MB }: ModuleProcessOptions,
  contract: string,
  track: (end: End) => void,
): Promise<Host> {
  const group = spawnGroup(commandOf(file, heapMb), ANSWERS + 1);
  const { child } = group;
  const gone = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const log = new TailLog();
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => log.append(chunk));
  const end = once(async () => {
    stopWatch();
    group.signal("SIGKILL");
    await gone;
  });
  track(end);
  const client = talkTo(group, { timeoutMs, log: () => log.text(), onFatal: end });
  const mostMb = heapMb + BESIDES_MB;
  const tooMuch = () => client.fail(`the module's process used more than ${mostMb} MiB of memory`);
  const { pid } = child;
  const stopWatch = pid === undefined ? () => {} : watchMemory(pid, mostMb * 1024 * 1024, tooMuch);
  if (pid !== undefined) onSpawn?.(pid);
  try {
    const loadTimeoutMs = timeoutMs === 0 ? 0 : Math.max(timeoutMs, LOAD_TIMEOUT_MS);
    const info = await initialize(client.call, contract, loadTimeoutMs);
    return moduleHost({ ...info, transport: "in-process" }, client, end);
  } catch (fault) {
    await end();
    throw fault;
  }
}

/** Node with the module, without the picture of its memory that an abort would leave on the disk. */
function commandOf(file: string, heapMb: number): readonly string[] {
  const entry = fileURLToPath(new URL("./module-process-entry.mjs", import.meta.url));
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, entry, file];
  return process.platform === "win32" ? node : ["sh", "-c", 'ulimit -c 0; exec "$@"', "sh", ...node];
}

/** The conversation with the process, which ends with it. */
function talkTo(
  { child }: ProcessGroup,
  options: { readonly timeoutMs: number; readonly log: () => string; readonly onFatal: () => void },
): JsonRpcClient {
  const [requests, answers] = [child.stdio[REQUESTS], child.stdio[ANSWERS]] as unknown as [
    Writable,
    Readable,
  ];
  let lastWords: string | undefined;
  const client = new JsonRpcClient({
    ...options,
    send: lineWriter(requests),
    errorFault: (_method, error) => {
      const fault = faultOf(error, options.log());
      if (fault.fatal) client.fail(fault.message);
      return fault;
    },
  });
  const receive = (line: Buffer) => {
    const text = line.toString();
    if (text.startsWith(LAST_WORDS)) lastWords = oneLine(wordsIn(text.slice(LAST_WORDS.length)));
    else client.receive(text);
  };
  const tooLong = () => client.fail(`the module's process sent an answer of more than ${MAX_ANSWER_SHOWN}`);
  answers.on("data", lineSplitter(LINE_BYTES, receive, tooLong));
  // A pipe that breaks is a process that ends, which says more.
  for (const pipe of [requests, answers]) pipe.on("error", () => {});
  child.once("error", (error) => client.fail(`the module's process cannot be started: ${error.message}`));
  const ended = (code: number | null, signal: NodeJS.Signals | null) => {
    if (lastWords !== undefined) client.fail(`the module threw outside of a call: ${lastWords}`);
    else client.fail(`the module's process ${endingOf(code, signal, options.log())}`);
  };
  child.once("exit", (code, signal) => {
    // What the module has started may hold the pipes open.
    void sleep(AFTERMATH_MS, undefined, { ref: false }).then(() => ended(code, signal));
  });
  child.once("close", ended);
  return client;
}

/** What a line of last words says; a module can write such a line, too. */
function wordsIn(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** How a process ended, in words. */
function endingOf(code: number | null, signal: NodeJS.Signals | null, log: string): string {
  if (signal === "SIGABRT" && log.includes("heap out of memory")) return "ran out of memory";
  return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

function faultOf(error: JsonRpcError, log: string): AdapterFault {
  const { message, data } = error as FaultError;
  return new AdapterFault(oneLine(String(message), 600), {
    fatal: data?.fatal !== false,
    log: log || undefined,
  });
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
