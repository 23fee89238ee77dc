import type { End } from "../adapters/tracking-adapter.ts";
import type { ClientConnection, ClientDoor } from "../engine/client/client-door.ts";

/**
 * A door that ends in `close` whatever it opened, also what is still opening.
 *
 * @param connect opens a connection, and hands to `track` how to end it before it waits for anything
 */
export function trackingDoor(
  told: Pick<ClientDoor, "transport" | "jobs" | "waitScale">,
  connect: (track: (end: End) => void, contract: string) => Promise<ClientConnection>,
): ClientDoor {
  const ends = new Set<End>();
  return {
    ...told,
    connect: (contract) => connect((end) => ends.add(end), contract),
    async close() {
      const all = [...ends].map((end) => end());
      ends.clear();
      await Promise.all(all);
    },
  };
}
