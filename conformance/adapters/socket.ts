import { once as onceEmitted } from "node:events";
import { connect } from "node:net";
import { type Adapter, AdapterFault } from "./adapter.ts";
import { type Host, hostsAdapter } from "./hosts.ts";
import { isLoopback } from "./is-loopback.ts";
import { lineClient } from "./line-client.ts";
import { oneLine, thrownLine } from "./one-line.ts";
import { initialize } from "./protocol-connection.ts";
import { protocolHost } from "./protocol-host.ts";
import { type End, once } from "./tracking-adapter.ts";

/** How a process that listens is reached. */
export interface AttachOptions {
  /** A loopback address: the lines are neither encrypted nor signed. */
  readonly host: string;
  readonly port: number;
  /** How long one call may take, in milliseconds; 0, as under a debugger, is for ever; 5 s by default. */
  readonly timeoutMs?: number;
}

/**
 * Drives an adapter that somebody else has started, perhaps under a debugger, by the adapter protocol's lines over a
 * TCP socket. The end of the kit's work is the end of the socket: `shutdown` is for processes that the kit started.
 */
export function attachAdapter(options: AttachOptions): Adapter {
  return hostsAdapter("stdio", 1, (track, { id }) => attach(options, id, track));
}

async function attach(
  { host, port, timeoutMs = 5_000 }: AttachOptions,
  contract: string,
  track: (end: End) => void,
): Promise<Host> {
  const place = `${oneLine(host, 80)}:${port}`;
  if (!isLoopback(host)) {
    throw new AdapterFault(`${place} is not this machine; the kit attaches to loopback addresses only`, {
      fatal: true,
    });
  }
  const socket = connect({ host, port, noDelay: true });
  const end = once(async () => {
    if (socket.destroyed) return;
    socket.end();
    socket.destroySoon();
    await onceEmitted(socket, "close");
  });
  track(end);
  try {
    await onceEmitted(socket, "connect");
  } catch (thrown) {
    throw new AdapterFault(`nothing to attach to at ${place}: ${thrownLine(thrown)}`, { fatal: true });
  }
  const client = lineClient({
    input: socket,
    output: socket,
    timeoutMs,
    log: () => "",
    onFatal: () => socket.destroy(),
    onBroken: (message) => client.fail(message),
  });
  try {
    return protocolHost(await initialize(client.call, contract), client, end);
  } catch (fault) {
    await end();
    throw fault;
  }
}
