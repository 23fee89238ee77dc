import type { Adapter } from "./adapter.ts";
import { type Host, hostsAdapter } from "./hosts.ts";
import { startLineProcess } from "./line-process.ts";
import { initialize } from "./protocol-connection.ts";
import { protocolHost } from "./protocol-host.ts";
import type { End } from "./tracking-adapter.ts";

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
  const { client, end } = startLineProcess({
    command,
    folder,
    peer: "the adapter",
    timeoutMs,
    graceMs,
    signals: ["SIGTERM", "SIGKILL"],
    onSpawn,
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
