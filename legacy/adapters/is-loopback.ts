import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a host as written in a URL or on a command line is this machine itself: 127.0.0.0/8, ::1 or `localhost`. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (bare.toLowerCase() === "localhost") return true;
  const version = isIP(bare);
  return version !== 0 && LOOPBACK.check(bare, version === 4 ? "ipv4" : "ipv6");
}
