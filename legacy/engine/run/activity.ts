import { setMaxListeners } from "node:events";
import type { AdapterFault } from "../../adapters/adapter.ts";
import { GivenUp, Interrupted } from "../play/breakage.ts";
import type { Purpose } from "../play/line.ts";
import type { RealTime } from "../play/real-time.ts";
import { REQUEST_KINDS, type RequestKind } from "../play/request-kind.ts";
import { Latencies, type OperationTime } from "./latencies.ts";

/** What the time of a run went on, in ms. Threads and parts of a run, which work side by side, are added up. */
export interface TimeFacts {
  /** Some call of the implementation was under way. */
  readonly serviceMs: number;
  /** None was, and time had to pass on a clock that cannot be moved. */
  readonly clockMs: number;
  /** The kit worked by itself. */
  readonly kitMs: number;
  /** Vectors that were played once more, since the service was too slow or stood still when they were first. */
  readonly playedAgain: number;
  /** Requests that the service was sent, by what for. */
  readonly requests: RequestCounts;
  readonly operations: readonly OperationTime[];
}

/** How many requests were answered. */
export function requestsOf({ operations }: TimeFacts): number {
  return operations.reduce((sum, { requests }) => sum + requests, 0);
}

/** A wait for the clock. */
export interface Waiting {
  /** In words, after "waiting". */
  readonly for: string;
  /** When it ends, as the run's clock has it. */
  readonly untilMs: number;
}

/** A call of the implementation that is under way. */
export interface Calling {
  readonly operation: string;
  readonly id: string;
  readonly step: string;
  /** When it was sent, as the run's clock has it. */
  readonly sinceMs: number;
}

/** Once the user wants the run to end, what is under way gets this long. */
const GRACE_MS = 400;

interface Pending extends Omit<Calling, "sinceMs"> {
  readonly at: number;
  readonly giveUp: (fault: AdapterFault) => void;
}

/**
 * What a run is at, and what its time goes on: each call of the implementation and each wait for the clock comes by
 * here. Once the run is interrupted, waits end at once, and calls after a moment.
 */
export class Activity {
  /** The run's time, whose waits are seen here. */
  readonly time: RealTime;
  readonly #real: RealTime;
  readonly #precise: () => number;
  readonly #latencies = new Latencies();
  readonly #requests = noRequests();
  readonly #calls = new Set<Pending>();
  readonly #waits = new Set<Waiting>();
  readonly #signal: AbortSignal | undefined;
  /** Ends all waits. */
  readonly #end = new AbortController();
  #over: AdapterFault | undefined;
  readonly #onWait: (untilMs: number) => void;
  /** See {@link TimeFacts}. */
  playedAgain = 0;
  #sleeping = 0;
  #since: number;
  #serviceMs = 0;
  #clockMs = 0;
  #kitMs = 0;

  /**
   * @param signal aborted, with the reason of what is left out, when the run is to end
   * @param onWait told when the last wait ends, as the run's clock has it, whenever that changes; 0 where none is left
   */
  constructor(time: RealTime, signal?: AbortSignal, onWait: (untilMs: number) => void = () => undefined) {
    this.#onWait = onWait;
    this.#real = time;
    this.#signal = signal;
    this.#precise = time.precise ?? time.now;
    this.#since = this.#precise();
    this.time = {
      now: () => time.now(),
      sleep: (ms, wait = {}) => this.#sleep(ms, wait.for ?? ""),
      precise: this.#precise,
    };
    // Every wait listens to it.
    setMaxListeners(0, this.#end.signal);
    signal?.addEventListener("abort", () => this.#interrupt(String(signal.reason)), { once: true });
  }

  /** Whether the user wants the run to end. */
  get interrupted(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /** The wait that ends last, and how many there are. */
  get waits(): { readonly count: number; readonly longest?: Waiting } {
    let longest: Waiting | undefined;
    for (const wait of this.#waits)
      if (longest === undefined || wait.untilMs > longest.untilMs) longest = wait;
    return { count: this.#waits.size, ...(longest === undefined ? {} : { longest }) };
  }

  /** The call that has been under way longest. */
  get oldestCall(): Calling | undefined {
    const [call] = this.#calls;
    if (call === undefined) return undefined;
    const { operation, id, step, at } = call;
    return { operation, id, step, sinceMs: this.#real.now() - (this.#precise() - at) };
  }

  /** What the time went on so far. */
  facts(): TimeFacts {
    this.#tally();
    const [serviceMs, clockMs, kitMs] = [this.#serviceMs, this.#clockMs, this.#kitMs].map(Math.round) as [
      number,
      number,
      number,
    ];
    const { playedAgain } = this;
    const requests = { ...this.#requests };
    return { serviceMs, clockMs, kitMs, playedAgain, requests, operations: this.#latencies.times() };
  }

  /**
   * Makes a call of the implementation, and gives what came of it.
   * @param kind what it is sent for, where it is a request that the service answers
   * @param alone asked at its end: whether the time that it took is its own
   * @throws {Interrupted} where it is given up
   */
  async call<Value>(
    send: () => Promise<Value>,
    { operation, id, step }: Pick<Purpose, "operation" | "id" | "step">,
    kind?: RequestKind,
    alone: () => boolean = () => true,
  ): Promise<Value> {
    if (this.#over !== undefined) throw this.#over;
    this.#tally();
    const at = this.#since;
    let pending: Pending | undefined;
    try {
      return await new Promise<Value>((resolve, reject) => {
        pending = { operation, id, step, at, giveUp: reject };
        this.#calls.add(pending);
        send().then(resolve, reject);
      });
    } finally {
      this.#tally();
      if (pending !== undefined) this.#calls.delete(pending);
      if (kind !== undefined) {
        this.#requests[kind] += 1;
        this.#latencies.add(operation, alone() ? this.#since - at : undefined, id, step);
      }
    }
  }

  /** Takes note of a request that is no call of the run's own. */
  count(kind: RequestKind): void {
    this.#requests[kind] += 1;
  }

  /** Ends every wait, and lets nothing more be asked: there is nobody to ask. @param reason of what is left out */
  abandon(reason: string): void {
    this.#over ??= new GivenUp(reason);
    this.#end.abort(this.#over);
  }

  async #sleep(ms: number, what: string): Promise<void> {
    const { signal } = this.#end;
    if (signal.aborted) throw signal.reason;
    this.#tally();
    const wait = { for: what, untilMs: this.#real.now() + ms };
    this.#sleeping += 1;
    // What is for nobody to know is no wait of a vector.
    if (what !== "") this.#waits.add(wait);
    this.#tellWaits();
    try {
      await this.#real.sleep(ms, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#tally();
      this.#sleeping -= 1;
      this.#waits.delete(wait);
      this.#tellWaits();
    }
    if (signal.aborted) throw signal.reason;
  }

  #tellWaits(): void {
    this.#onWait(this.waits.longest?.untilMs ?? 0);
  }

  async #interrupt(reason: string): Promise<void> {
    this.#end.abort(new Interrupted(reason));
    await this.#real.sleep(GRACE_MS);
    const over = new Interrupted(reason);
    this.#over = over;
    for (const { giveUp } of this.#calls) giveUp(over);
  }

  /** Adds the time since the last change to what it went on. */
  #tally(): void {
    const now = this.#precise();
    const passed = now - this.#since;
    this.#since = now;
    if (this.#calls.size > 0) this.#serviceMs += passed;
    else if (this.#sleeping > 0) this.#clockMs += passed;
    else this.#kitMs += passed;
  }
}

/** How many requests were sent, by what for. */
export type RequestCounts = Readonly<Record<RequestKind, number>>;

/** Counts of nothing so far, to be added to. */
export function noRequests(): Record<RequestKind, number> {
  return Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, 0])) as Record<RequestKind, number>;
}

/** The counts of several runs as those of one. */
export function sumOfRequests(all: readonly RequestCounts[]): RequestCounts {
  const sum = noRequests();
  for (const counts of all) for (const kind of REQUEST_KINDS) sum[kind] += counts[kind];
  return sum;
}
