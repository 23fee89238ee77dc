import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** The port that a URL without one means. */
const HTTP_PORT = 80;

/** Whether a host is this machine itself: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}

/**
 * Whether a `Host` header, or the host of an `Origin`, is a loopback name with this port. A web page whose name was bound
 * to a loopback address once it was loaded (DNS rebinding) comes with a name of its own.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(host ?? "");
  const name = match?.[1] ?? match?.[2];
  return name !== undefined && isLoopback(name) && Number(match?.[3] ?? HTTP_PORT) === port;
}

/** Whether an `Origin` header is that of a page from this very server. */
export function isOwnOrigin(origin: string, port: number): boolean {
  const host = /^http:\/\/(.*)$/.exec(origin)?.[1];
  return host !== undefined && isOwnHost(host, port);
}
