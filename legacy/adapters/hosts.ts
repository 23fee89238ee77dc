import type { Adapter, Connection, ServedContract } from "./adapter.ts";
import { type End, once, trackingAdapter } from "./tracking-adapter.ts";

/** What holds services: a process, say. */
export interface Host {
  /** How many services it holds at once. */
  readonly services: number;
  /** Whether it can still be talked to, and hangs in nothing. */
  readonly alive: boolean;
  /** Whether it waits for the next who connects, where nobody is connected any more. */
  readonly lasting: boolean;
  /** A line to a service that is nobody else's. @param end of the line; the host's own end is no matter of its */
  line(end: End): Connection;
  /** Ends it with all its services. Never rejects. */
  readonly end: End;
}

/** A host that is being opened, or is open, with the number of lines to its services. */
interface Opened {
  readonly opening: Promise<Host>;
  host?: Host;
  lines: number;
}

/**
 * An adapter whose connections are lines to the services of a few hosts. What it has opened, also what is still opening,
 * ends in `close`.
 *
 * @param most how many hosts there are to be; more only where somebody connects for whom none of them has room
 * @param open opens a host, and hands to `track` how to end it before it waits for anything
 */
export function hostsAdapter(
  transport: string,
  most: number,
  open: (track: (end: End) => void, contract: ServedContract) => Promise<Host>,
): Adapter {
  const hosts = new Set<Opened>();
  // All are alike: what the last one said.
  let services = 1;

  const openAnother = (track: (end: End) => void, contract: ServedContract): Opened => {
    const opened: Opened = { opening: open(track, contract), lines: 0 };
    hosts.add(opened);
    opened.opening.then(
      (host) => {
        opened.host = host;
        services = host.services;
      },
      () => hosts.delete(opened),
    );
    return opened;
  };
  /** The host that has fewest lines, of those that have room for one more. */
  const emptiest = () =>
    [...hosts]
      .filter(({ host, lines }) => lines < services && host?.alive !== false)
      .sort((one, other) => one.lines - other.lines)[0];

  const release = async (opened: Opened, host: Host) => {
    opened.lines -= 1;
    if (opened.lines > 0 || (host.lasting && host.alive)) return;
    hosts.delete(opened);
    await host.end();
  };

  const tracking = trackingAdapter(transport, most, async (track, contract) => {
    const present = emptiest();
    const another = present === undefined || (present.lines > 0 && hosts.size < most);
    const opened = another ? openAnother(track, contract) : present;
    opened.lines += 1;
    const host = await opened.opening;
    return host.line(once(() => release(opened, host)));
  });
  return {
    ...tracking,
    get jobs() {
      return most * services;
    },
    async renew() {
      const idle = [...hosts].filter(({ lines }) => lines === 0);
      for (const opened of idle) hosts.delete(opened);
      await Promise.all(idle.map(({ host }) => host?.end()));
    },
    async close() {
      hosts.clear();
      await tracking.close();
    },
  };
}
