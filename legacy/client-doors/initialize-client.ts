import { AdapterFault } from "../adapters/adapter.ts";
import type { Call } from "../adapters/json-rpc-client.ts";
import { shown } from "../adapters/one-line.ts";
import type { ClientInfo } from "../engine/client/client-door.ts";
import { CLIENT_PROTOCOL } from "../engine/client/client-protocol.ts";
import { clientInfo } from "./client-info.ts";

/**
 * Asks a client that stays who it is (client protocol, "Messages").
 * @throws {AdapterFault} fatal, where the protocol version is another or a member is wrong
 */
export async function initializeClient(call: Call, contract: string, timeoutMs: number): Promise<ClientInfo> {
  const params = { protocol: CLIENT_PROTOCOL, contract };
  const result = (await call("initialize", params, timeoutMs)) as { readonly protocol?: unknown } | null;
  const protocol = result?.protocol;
  if (protocol !== CLIENT_PROTOCOL) {
    const said = protocol === undefined ? "no protocol version" : `protocol version ${shown(protocol)}`;
    throw new AdapterFault(`initialize: ${said}, but the kit speaks version ${CLIENT_PROTOCOL}`, {
      fatal: true,
    });
  }
  return clientInfo(result as object, "client", "initialize");
}
