import type { Adapter, Connection, ServedContract } from "./adapter.ts";

/** Ends one connection and frees what it holds; never rejects. */
export type End = () => Promise<void>;

/**
 * An adapter that ends in `close` whatever it opened, also what is still opening.
 *
 * @param connect opens a connection, and hands to `track` how to end it before it waits for anything
 */
export function trackingAdapter(
  transport: string,
  jobs: number,
  connect: (track: (end: End) => void, contract: ServedContract) => Promise<Connection>,
): Adapter {
  const ends = new Set<End>();
  return {
    transport,
    jobs,
    connect: (contract) => connect((end) => ends.add(end), contract),
    async close() {
      const all = [...ends].map((end) => end());
      ends.clear();
      await Promise.all(all);
    },
  };
}

/** Makes the second and every later call give the promise of the first. */
export function once(end: End): End {
  let ending: Promise<void> | undefined;
  return () => {
    ending ??= end();
    return ending;
  };
}
