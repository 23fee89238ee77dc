import type { ImplementationInfo } from "./adapter.ts";
import type { Host } from "./hosts.ts";
import type { JsonRpcClient } from "./json-rpc-client.ts";
import { ProtocolConnection, type SharedCarrier } from "./protocol-connection.ts";
import type { End } from "./tracking-adapter.ts";

/** What holds the services of an adapter that one client talks to: as many as the adapter says. */
export function protocolHost(info: ImplementationInfo, client: JsonRpcClient, end: End): Host {
  const { instances: services = 1 } = info.capabilities;
  const carrier: SharedCarrier | undefined = services > 1 ? { free: [] } : undefined;
  return {
    services,
    lasting: false,
    end,
    get alive() {
      return client.fault === undefined && !client.overdue;
    },
    line: (close) => new ProtocolConnection(info, client.call, close, carrier),
  };
}
