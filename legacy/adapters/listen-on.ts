import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/**
 * Lets a server listen.
 *
 * @param at `port` 0 for any free one
 * @returns the URL of the server, without a slash at its end
 * @throws {Error} one line, where the address cannot be had
 */
export async function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(`cannot listen on ${host}:${port}: ${(error as Error).message}`);
  }
  const { address, family, port: actual } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
}
