/** Plays vectors on several connections to one implementation. */
import type { Adapter, Service } from "../adapters/adapter.ts";
import type { TestContext } from "../play/vector-run.ts";
import { allSteps, isVector, type Test } from "../suite/vector.ts";
import { LAST_RANK, waitMsOf } from "./plan.ts";

/**
 * Maximum number of services with separate processes that are open at the same time on a real clock. Most of
 * them are waiting.
 */
const MAX_WAITING_PROCESSES = 16;
/** Verbs of steps that fill a store, add many entries to a store, or use its newest entry. */
const STORE_VERBS: ReadonlySet<string> = new Set(["fill-store", "add-entries", "use-newest"]);

/**
 * Returns why the implementation cannot serve several vectors at the same time, or undefined if it can. A
 * server has one service: a vector that restarts it or moves its clock would disturb the other vectors.
 */
export function reasonForOneConnection({ hasSeparateServices, info }: Adapter): string | undefined {
  const { clock, restart } = info.capabilities;
  if (hasSeparateServices || (clock === "real" && !restart)) return undefined;
  return `all vectors use one service, and some ${restart ? "restart it" : "set its clock"}`;
}

/** Connections to an implementation. Each plays one vector at a time. */
export class Connections {
  /** The adapter, with services that count requests and free their connection while they wait. */
  readonly adapter: TestContext["adapter"];
  readonly #hasSeparateServices: boolean;
  /** Slots of vectors that have started and are not waiting. */
  readonly #active: Slots;
  /** Slots of vectors that have started, including those that are waiting. */
  readonly #open: Slots;
  requests = 0;

  /** @param count number of connections: 1 if {@link reasonForOneConnection} returns a reason */
  constructor(adapter: Adapter, count: number) {
    const { info, hasSeparateServices } = adapter;
    this.adapter = {
      info,
      start: async (nowMs) => this.#connect(await adapter.start(nowMs)),
      bytesToSign: (message) => adapter.bytesToSign(message),
    };
    this.#hasSeparateServices = hasSeparateServices;
    this.#active = new Slots(count);
    const mayWait = info.capabilities.clock === "real" && reasonForOneConnection(adapter) === undefined;
    const maxWaiting = hasSeparateServices ? MAX_WAITING_PROCESSES : Number.POSITIVE_INFINITY;
    this.#open = new Slots(mayWait ? Math.max(count, maxWaiting) : count);
  }

  /**
   * Plays tests, each on the next free connection. On a real clock, a vector that waits frees its
   * connection for other vectors, and the vectors with the longest waits start first. Vectors that fill a
   * store of a shared server are played alone, at the end.
   * @param play plays the test with this index
   * @param isEnded whether the run has ended, so that no more tests start
   * @param ranks tests with a lower rank start first (default: {@link LAST_RANK})
   */
  async playAll(
    tests: readonly Test[],
    play: (index: number) => Promise<void>,
    isEnded: () => boolean,
    ranks: ReadonlyMap<Test, number> = new Map(),
  ): Promise<void> {
    const playOne = async (index: number) => {
      if (!isEnded()) await play(index);
    };
    const isAlone = (test: Test) =>
      !this.#hasSeparateServices &&
      isVector(test) &&
      allSteps(test.steps).some(({ verb }) => STORE_VERBS.has(verb));
    const indexes = [...tests.entries()];
    const parallel = indexes.filter(([, test]) => !isAlone(test));
    if (this.adapter.info.capabilities.clock === "real")
      parallel.sort(([, one], [, other]) => waitMsOf(other) - waitMsOf(one));
    const rankOf = (test: Test) => ranks.get(test) ?? LAST_RANK;
    parallel.sort(([, one], [, other]) => rankOf(one) - rankOf(other));
    const playing: Promise<void>[] = [];
    for (const [index] of parallel) {
      await this.#open.take();
      await this.#active.take();
      const played = playOne(index).finally(() => {
        this.#active.release();
        this.#open.release();
      });
      playing.push(played);
    }
    await Promise.all(playing);
    for (const [index, test] of indexes) if (isAlone(test)) await playOne(index);
  }

  #connect(service: Service): Service {
    return {
      get nowMs() {
        return service.nowMs;
      },
      handle: (request) => {
        this.requests += 1;
        return service.handle(request);
      },
      advance: async (ms) => {
        if (this.adapter.info.capabilities.clock === "virtual") return service.advance(ms);
        this.#active.release();
        await service.advance(ms).finally(() => this.#active.take(true));
      },
      close: () => service.close(),
    };
  }
}

/** A semaphore with a fixed number of slots. Urgent callers get free slots before other waiting callers. */
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
