import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Default port of an `http` URL. */
const HTTP_PORT = 80;

/** Returns whether a host is this machine: `localhost`, 127.0.0.0/8, or ::1. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === "localhost") return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}

/**
 * Returns whether a `Host` header, or the host of an `Origin`, is a loopback name with this port. The name in
 * a DNS rebinding attack is not a loopback name.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(host ?? "");
  const name = match?.[1] ?? match?.[2];
  return name !== undefined && isLoopback(name) && Number(match?.[3] ?? HTTP_PORT) === port;
}

/** Returns whether an `Origin` header names this server. */
export function isOwnOrigin(origin: string, port: number): boolean {
  const host = /^http:\/\/(.*)$/.exec(origin)?.[1];
  return host !== undefined && isOwnHost(host, port);
}
