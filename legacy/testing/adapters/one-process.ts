import type { Adapter, Connection, ServiceRequest } from "../../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";

/**
 * An adapter of so many services that seem to be of one process: whatever ends one of them may end them all.
 * @param way stands between the kit and each answer
 */
export function oneProcess(
  service: ServiceModule,
  jobs: number,
  way: (connection: Connection, request: ServiceRequest) => Promise<unknown> = (connection, request) =>
    connection.handle(request),
): Adapter {
  const module = inProcessAdapter(service, { name: "service" });
  const carrier = {};
  return {
    transport: "in-process",
    jobs,
    async connect() {
      const connection = await module.connect();
      return {
        info: connection.info,
        carrier,
        start: (nowMs) => connection.start(nowMs),
        // As from another process: what others are asked comes in between.
        async handle(request) {
          await new Promise((resolve) => setImmediate(resolve));
          return way(connection, request);
        },
        advance: (ms) => connection.advance(ms),
        bytesToSign: (message) => connection.bytesToSign(message),
        close: () => connection.close(),
      };
    },
    close: async () => {},
  };
}
