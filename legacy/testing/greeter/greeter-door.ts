import { AdapterFault } from "../../adapters/adapter.ts";
import type { ClientDoor, SiteHost, TaskSite } from "../../engine/client/client-door.ts";
import type { RealTime } from "../../engine/play/real-time.ts";

/** A client of the greeter, in this process. */
export type Greeted = (name: string, tools: GreetedTools) => Promise<unknown>;

/** What such a client is given. */
export interface GreetedTools extends Pick<TaskSite, "sleep" | "signal"> {
  /** Gives the status and the body of an answer; rejects where it is lost. */
  ask(path: string): Promise<readonly [status: number, body: unknown]>;
}

/** A door to a client in this process, without protection against it. @param opened told of each connection */
export function greeterDoor(greeted: Greeted, jobs = 1, opened: () => void = () => {}): ClientDoor {
  return {
    transport: "in memory",
    jobs,
    waitScale: 1,
    async connect() {
      opened();
      return {
        info: { client: { name: "greeted", version: "1" }, facts: {} },
        async perform(task, site) {
          const ask = async (target: string) => {
            const answer = await site.ask({ method: "GET", target, headers: [] });
            if (answer.kind === "lost") throw new Error("lost");
            return [answer.status, answer.body] as const;
          };
          try {
            return await greeted(String(task["name"]), { ...site, ask });
          } catch (error) {
            if (error instanceof AdapterFault) throw error;
            throw new AdapterFault(`threw: ${String(error)}`, { fatal: true });
          }
        },
        async close() {},
      };
    },
    async close() {},
  };
}

/** Addresses at which nobody serves: for clients that ask in this process. */
export const NO_SITES: SiteHost = {
  open: async () => "http://127.0.0.1:9",
  close: async () => {},
};

/** A time in which only waits let any pass, and each at once: but for those that somebody ends before. */
export function quickTime(): RealTime & { pass(ms: number): Promise<void> } {
  let nowMs = 0;
  const waits = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
  return {
    now: () => nowMs,
    sleep: (ms, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const wait = { untilMs: nowMs + ms, wake: resolve };
        waits.add(wait);
        signal?.addEventListener("abort", () => {
          waits.delete(wait);
          reject(signal.reason);
        });
      }),
    async pass(ms) {
      nowMs += ms;
      for (const wait of waits) {
        if (wait.untilMs > nowMs) continue;
        waits.delete(wait);
        wait.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
