import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { AdapterFault } from "./adapter.ts";
import { MAX_ANSWER_BYTES, MAX_ANSWER_SHOWN } from "./answer-limit.ts";
import type { JsonRpcError } from "./json-rpc.ts";
import { JsonRpcClient } from "./json-rpc-client.ts";
import { lineSplitter } from "./line-splitter.ts";
import { lineWriter } from "./line-writer.ts";
import { ANSWERS, type FaultError, LAST_WORDS, REQUESTS } from "./module-process-line.ts";
import { oneLine } from "./one-line.ts";
import { type ProcessGroup, spawnGroup } from "./process-group.ts";
import { watchMemory } from "./resident-memory.ts";
import { TailLog } from "./tail-log.ts";
import { type End, once } from "./tracking-adapter.ts";

/** Plenty for a module whose stores are bounded; a leak is told by its own fault rather than by a slow machine. */
const HEAP_MB = 1024;
/** What a process may use besides its heap: Node itself, and buffers. */
const BESIDES_MB = 512;

/** What the process said may still be in a pipe for this long after it is known to be gone. */
const AFTERMATH_MS = 200;

/** What is around an answer in its line. */
const LINE_BYTES = MAX_ANSWER_BYTES + 1024;

/** How a user's module is run in a process of its own. */
export interface NodeProcessOptions {
  /** The program of the process: plain JavaScript. */
  readonly entry: string;
  /** The module's path, which the program is given. */
  readonly file: string;
  /** How long one call may take, in milliseconds; 0 is for ever. */
  readonly timeoutMs: number;
  /** Told the process id, for a debugger. */
  readonly onSpawn?: (pid: number) => void;
  /** How large the heap of the process may grow, in MiB; 1024 by default. With all else it may use 512 more. */
  readonly heapMb?: number;
  /** Takes a line that is no answer, such as a question of the process; gives whether it has. */
  readonly takes?: (line: string) => boolean;
}

/** A process that runs a user's module. */
export interface NodeProcess {
  readonly client: JsonRpcClient;
  /** Sends a line that is no call. */
  readonly send: (line: string) => void;
  readonly end: End;
}

/**
 * Starts a process for a module: one that loops without end, exits, aborts, throws outside of a call, floods its output or
 * fills the memory is a fatal fault of the conversation, and cannot take the kit along.
 * @param track told how to end it
 */
export function startNodeProcess(options: NodeProcessOptions, track: (end: End) => void): NodeProcess {
  const { entry, file, timeoutMs, onSpawn, heapMb = HEAP_MB, takes = () => false } = options;
  const group = spawnGroup(commandOf(entry, file, heapMb), ANSWERS + 1);
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
  const send = lineWriter(child.stdio[REQUESTS] as unknown as Writable);
  const client = talkTo(group, { timeoutMs, log: () => log.text(), onFatal: end, send, takes });
  const mostMb = heapMb + BESIDES_MB;
  const tooMuch = () => client.fail(`the module's process used more than ${mostMb} MiB of memory`);
  const { pid } = child;
  const stopWatch = pid === undefined ? () => {} : watchMemory(pid, mostMb * 1024 * 1024, tooMuch);
  if (pid !== undefined) onSpawn?.(pid);
  return { client, send, end };
}

/** Node with the module, without the picture of its memory that an abort would leave on the disk. */
function commandOf(entry: string, file: string, heapMb: number): readonly string[] {
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, entry, file];
  return process.platform === "win32" ? node : ["sh", "-c", 'ulimit -c 0; exec "$@"', "sh", ...node];
}

/** The conversation with the process, which ends with it. */
function talkTo(
  { child }: ProcessGroup,
  options: {
    readonly timeoutMs: number;
    readonly log: () => string;
    readonly onFatal: () => void;
    readonly send: (line: string) => void;
    readonly takes: (line: string) => boolean;
  },
): JsonRpcClient {
  const [requests, answers] = [child.stdio[REQUESTS], child.stdio[ANSWERS]] as unknown as [
    Writable,
    Readable,
  ];
  const { takes, ...more } = options;
  let lastWords: string | undefined;
  const client = new JsonRpcClient({
    ...more,
    errorFault: (_method, error) => {
      const fault = faultOf(error, options.log());
      if (fault.fatal) client.fail(fault.message);
      return fault;
    },
  });
  const receive = (line: Buffer) => {
    const text = line.toString();
    if (text.startsWith(LAST_WORDS)) lastWords = oneLine(wordsIn(text.slice(LAST_WORDS.length)));
    else if (!takes(text)) client.receive(text);
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
    log: [log, data?.log ?? ""].filter((text) => text !== "").join("\n") || undefined,
  });
}
