/** Plays vectors on several connections to one implementation. */
import type { Adapter, Request, Service } from "../adapters/adapter.ts";
import type { Vector } from "../suite/vector.ts";
import { fillsStore, waitMsOf } from "./plan.ts";

/**
 * Maximum number of services with separate processes that are open at the same time on a real clock. Most of
 * them are waiting.
 */
const MAX_WAITING_PROCESSES = 16;

/**
 * Returns why the implementation cannot serve several vectors at the same time, or undefined if it can. A
 * server has one service: a vector that restarts it or moves its clock would disturb the other vectors.
 */
export function reasonForOneConnection({ hasSeparateServices, info }: Adapter): string | undefined {
  const { clock, restart } = info.capabilities;
  if (hasSeparateServices || (clock === "real" && !restart)) return undefined;
  return `the server has one service, and vectors ${restart ? "restart it" : "set its clock"}`;
}

type Play = (index: number, adapter: Adapter) => Promise<void>;

/** Connections to an implementation. Each plays one vector at a time. */
export class Connections {
  readonly #adapter: Adapter;
  /** Slots of vectors that may send requests now. */
  readonly #active: Slots;
  /** Slots of vectors that have started, including those that are waiting. */
  readonly #open: Slots;
  /** Number of requests sent. */
  requests = 0;

  /** @param count number of connections. The caller passes 1 if there is a reason for one connection. */
  constructor(adapter: Adapter, count: number) {
    this.#adapter = adapter;
    this.#active = new Slots(count);
    const mayWait =
      adapter.info.capabilities.clock === "real" && reasonForOneConnection(adapter) === undefined;
    const maxWaiting = adapter.hasSeparateServices ? MAX_WAITING_PROCESSES : Number.POSITIVE_INFINITY;
    this.#open = new Slots(mayWait ? Math.max(count, maxWaiting) : count);
  }

  /**
   * Plays vectors, each on the next free connection. On a real clock, a vector that waits leaves its
   * connection to others, and those that wait longest start first. Vectors that fill a store of a shared
   * server are played alone, at the end.
   * @param play plays the vector with this index, using the given adapter
   * @param isEnded whether the run has ended, so that no more vectors start
   */
  async playAll(vectors: readonly Vector[], play: Play, isEnded: () => boolean): Promise<void> {
    const isAlone = (vector: Vector) => !this.#adapter.hasSeparateServices && fillsStore(vector);
    const indexes = [...vectors.entries()];
    const parallel = indexes.filter(([, vector]) => !isAlone(vector));
    if (this.#adapter.info.capabilities.clock === "real")
      parallel.sort(([, one], [, other]) => waitMsOf(other) - waitMsOf(one));
    const playing = new Set<Promise<void>>();
    for (const [index] of parallel) {
      await this.#open.take();
      await this.#active.take();
      const played = this.#playOne(index, play, isEnded).finally(() => playing.delete(played));
      playing.add(played);
    }
    await Promise.all(playing);
    for (const [index, vector] of indexes)
      if (isAlone(vector) && !isEnded()) await play(index, this.#countingAdapter());
  }

  async #playOne(index: number, play: Play, isEnded: () => boolean): Promise<void> {
    try {
      if (!isEnded()) await play(index, this.#countingAdapter());
    } finally {
      this.#active.release();
      this.#open.release();
    }
  }

  /** Returns the adapter with services that count requests and leave their connection while they wait. */
  #countingAdapter(): Adapter {
    const adapter = this.#adapter;
    return {
      info: adapter.info,
      hasSeparateServices: adapter.hasSeparateServices,
      get lost() {
        return adapter.lost;
      },
      start: async (nowMs) => this.#countingService(await adapter.start(nowMs)),
      bytesToSign: (message) => adapter.bytesToSign(message),
      close: () => adapter.close(),
    };
  }

  #countingService(service: Service): Service {
    return {
      get nowMs() {
        return service.nowMs;
      },
      handle: (request: Request) => {
        this.requests += 1;
        return service.handle(request);
      },
      advance: (ms) => this.#advance(service, ms),
      close: () => service.close(),
    };
  }

  async #advance(service: Service, ms: number): Promise<void> {
    if (this.#adapter.info.capabilities.clock === "virtual") return service.advance(ms);
    this.#active.release();
    try {
      await service.advance(ms);
    } finally {
      await this.#active.take(true);
    }
  }
}

/** A number of slots. Waiting callers get free slots in order, urgent callers first. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #urgent: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(isUrgent = false): Promise<void> {
    this.#free -= 1;
    const queue = isUrgent ? this.#urgent : this.#waiting;
    if (this.#free < 0) await new Promise<void>((resolve) => queue.push(resolve));
  }

  release(): void {
    this.#free += 1;
    (this.#urgent.shift() ?? this.#waiting.shift())?.();
  }
}
