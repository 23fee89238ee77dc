import { setImmediate as nextTurn } from "node:timers/promises";
import type { Adapter, Connection } from "../adapters/adapter.ts";
import type { RealTime } from "../engine/play/real-time.ts";

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/**
 * A clock on the wall that needs no waiting: once nothing is being asked of the service and all that is left is waiting,
 * it jumps to the end of the shortest wait. Work takes no time on it.
 */
export class IdleTime implements RealTime {
  #nowMs: number;
  readonly #move: (ms: number) => Promise<unknown>;
  #sleepers: Sleeper[] = [];
  #asking = 0;
  #looking = false;

  /** @param move moves the service's clock as far as this one moves */
  constructor(nowMs: number, move: (ms: number) => Promise<unknown> = async () => undefined) {
    this.#nowMs = nowMs;
    this.#move = move;
  }

  readonly now = (): number => this.#nowMs;

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((wake) => {
      this.#sleepers.push({ untilMs: this.#nowMs + Math.ceil(ms), wake });
      this.#look();
    });

  /** The same adapter, of which is known when something is asked through it. */
  watched(adapter: Adapter): Adapter {
    return {
      transport: adapter.transport,
      jobs: adapter.jobs,
      connect: async (contract) => this.#watchedConnection(await adapter.connect(contract)),
      close: () => adapter.close(),
    };
  }

  #watchedConnection(connection: Connection): Connection {
    return {
      info: connection.info,
      start: (nowMs) => connection.start(nowMs),
      advance: (ms) => connection.advance(ms),
      bytesToSign: (message) => connection.bytesToSign(message),
      close: () => connection.close(),
      handle: async (request) => {
        this.#asking += 1;
        try {
          return await connection.handle(request);
        } finally {
          this.#asking -= 1;
        }
      },
    };
  }

  /** Whoever got an answer asks on, or sleeps, before the next turn of the event loop. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    while (this.#sleepers.length > 0) {
      await nextTurn();
      if (this.#asking > 0) continue;
      await this.#jump();
    }
    this.#looking = false;
  }

  async #jump(): Promise<void> {
    const untilMs = Math.min(...this.#sleepers.map((sleeper) => sleeper.untilMs));
    await this.#move(untilMs - this.#nowMs);
    this.#nowMs = untilMs;
    const awake = this.#sleepers.filter((sleeper) => sleeper.untilMs <= untilMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.untilMs > untilMs);
    for (const { wake } of awake) wake();
  }
}
