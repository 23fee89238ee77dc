import { setTimeout as sleep } from "node:timers/promises";
import type { Adapter } from "./adapter.ts";
import { type Host, hostsAdapter } from "./hosts.ts";
import { lastWords } from "./last-words.ts";
import { lineClient } from "./line-client.ts";
import { spawnGroup } from "./process-group.ts";
import { initialize } from "./protocol-connection.ts";
import { protocolHost } from "./protocol-host.ts";
import { TailLog } from "./tail-log.ts";
import { type End, once } from "./tracking-adapter.ts";

/** How a command is run. */
export interface StdioOptions {
  /** Command line, run by the shell (`sh -c`, on Windows the system's shell). */
  readonly command: string;
  /** Folder that it runs in; the working directory unless told. */
  readonly folder?: string;
  /** How many processes may run side by side; 1 by default. */
  readonly jobs?: number;
  /** How long one call may take, in milliseconds; 0 is for ever, 5 s by default. */
  readonly timeoutMs?: number;
  /** How long a process may take from its start to its answer to `initialize`; 30 s by default, or as `timeoutMs` for ever. */
  readonly startTimeoutMs?: number;
  /** How long a process may take to leave after `shutdown`, and again after SIGTERM; 2 s by default. */
  readonly graceMs?: number;
  /** Told the process id of each process as it starts, for a debugger. */
  readonly onSpawn?: (pid: number) => void;
}

/** A pipe may still hold output, or the exit be still unnoticed, for this long after its other end is known to be gone. */
const AFTERMATH_MS = 200;

/**
 * Drives a command that speaks the adapter protocol on its standard input and output: a process for each connection, or
 * for as many as it can hold services.
 */
export function stdioAdapter(options: StdioOptions): Adapter {
  return hostsAdapter("stdio", options.jobs ?? 1, (track, { id }) => startProcess(options, id, track));
}

async function startProcess(
  options: StdioOptions,
  contract: string,
  track: (end: End) => void,
): Promise<Host> {
  const {
    command,
    folder,
    timeoutMs = 5_000,
    startTimeoutMs = timeoutMs === 0 ? 0 : 30_000,
    graceMs = 2_000,
    onSpawn,
  } = options;
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
    group.signal("SIGTERM");
    await leaves();
    group.signal("SIGKILL");
    await leaves();
  });

  let exit: string | undefined;
  const fail = (message: string) => {
    client.fail(exit === undefined ? message : `${exit}${lastWords(log.text())}`);
  };
  const client = lineClient({
    input: child.stdout,
    output: child.stdin,
    timeoutMs,
    log: () => log.text(),
    onFatal: terminate,
    // Of several signs that the process is gone the exit says most, so the others give it a moment to show.
    onBroken: (message) => setTimeout(fail, AFTERMATH_MS, message).unref(),
  });
  child.once("error", (error) => client.fail(`the shell cannot be run: ${error.message}`));
  child.once("exit", (code, signal) => {
    exit = signal === null ? `the adapter exited with status ${code}` : `the adapter was ended by ${signal}`;
    setTimeout(fail, AFTERMATH_MS, exit).unref();
  });
  child.once("close", () => fail("the adapter exited"));
  if (child.pid !== undefined) onSpawn?.(child.pid);

  const end = once(async () => {
    if (client.fault === undefined && !client.busy) {
      await client.call("shutdown", {}, graceMs).catch(() => undefined);
      child.stdin.end();
      await leaves();
    }
    await terminate();
  });
  track(end);
  try {
    const info = await initialize(client.call, contract, startTimeoutMs);
    return protocolHost(info, client, end);
  } catch (fault) {
    await end();
    throw fault;
  }
}
