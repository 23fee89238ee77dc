import { setTimeout as sleep } from "node:timers/promises";
import type { JsonRpcClient } from "./json-rpc-client.ts";
import { lastWords } from "./last-words.ts";
import { lineClient } from "./line-client.ts";
import { spawnGroup } from "./process-group.ts";
import { TailLog } from "./tail-log.ts";
import { type End, once } from "./tracking-adapter.ts";

/** How a process that answers lines of JSON-RPC is run. */
export interface LineProcessOptions {
  /** Command line, run by the shell (`sh -c`, on Windows the system's shell). */
  readonly command: string;
  /** Folder that it runs in; the working directory unless told. */
  readonly folder?: string | undefined;
  /** What it is called in faults, such as `the adapter`. */
  readonly peer: string;
  /** How long one call may take, in milliseconds; 0 is for ever. */
  readonly timeoutMs: number;
  /** How long the process may take to leave after `shutdown`, and again after each signal, in milliseconds. */
  readonly graceMs: number;
  /** What it is sent, one after the other, where it does not leave. */
  readonly signals: readonly ("SIGTERM" | "SIGKILL")[];
  /** Told the process id as it starts, for a debugger. */
  readonly onSpawn?: ((pid: number) => void) | undefined;
}

/** A pipe may still hold output, or the exit be still unnoticed, for this long after its other end is known to be gone. */
const AFTERMATH_MS = 200;

/**
 * Starts a process that speaks JSON-RPC on its standard input and output.
 *
 * @returns how it is called, and `end`, which asks it to leave, makes it leave, and never rejects
 */
export function startLineProcess(options: LineProcessOptions): {
  readonly client: JsonRpcClient;
  readonly end: End;
} {
  const { command, folder, peer, timeoutMs, graceMs, signals, onSpawn } = options;
  const group = spawnGroup(command, undefined, folder);
  const { child } = group;
  const log = new TailLog();
  child.stderr.on("data", (chunk: Buffer) => log.append(chunk));

  const gone = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const leaves = () => Promise.race([gone, sleep(graceMs, undefined, { ref: false })]);
  const terminate = once(async () => {
    for (const signal of signals) {
      group.signal(signal);
      await leaves();
    }
  });

  let exit: string | undefined;
  const fail = (message: string) => {
    client.fail(exit === undefined ? message : `${exit}${lastWords(log.text())}`);
  };
  const client = lineClient({
    input: child.stdout,
    output: child.stdin,
    timeoutMs,
    peer,
    log: () => log.text(),
    onFatal: terminate,
    // Of several signs that the process is gone the exit says most, so the others give it a moment to show.
    onBroken: (message) => setTimeout(fail, AFTERMATH_MS, message).unref(),
  });
  child.once("error", (error) => client.fail(`the shell cannot be run: ${error.message}`));
  child.once("exit", (code, signal) => {
    exit = signal === null ? `${peer} exited with status ${code}` : `${peer} was ended by ${signal}`;
    setTimeout(fail, AFTERMATH_MS, exit).unref();
  });
  child.once("close", () => fail(`${peer} exited`));
  if (child.pid !== undefined) onSpawn?.(child.pid);

  const end = once(async () => {
    if (client.fault === undefined && !client.busy) {
      await client.call("shutdown", {}, graceMs).catch(() => undefined);
      child.stdin.end();
      await leaves();
    }
    await terminate();
  });
  return { client, end };
}
