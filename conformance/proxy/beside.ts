import { thrownLine } from "../adapters/one-line.ts";
import type { PassedExchange } from "./passed-exchange.ts";

/** Work on the traffic in a thread of its own. */
export interface BesideWork<Told, End> {
  /**
   * Takes an exchange that has ended.
   * @param openSinceMs when the earliest pending request began
   * @returns what is to be reported at once
   */
  take(exchange: PassedExchange, openSinceMs: number): readonly Told[];
  /** Does work that had to wait: every exchange that ended before this moment was taken. */
  tick(nowMs: number, openSinceMs: number): readonly Told[];
  /** Ends the work, and returns its result. */
  end(): End;
}

/** Messages to the thread. */
export type ToWork =
  | { readonly kind: "exchange"; readonly exchange: PassedExchange; readonly openSinceMs: number }
  | { readonly kind: "tick"; readonly nowMs: number; readonly openSinceMs: number }
  | { readonly kind: "end" };

/** Messages from the thread. */
type FromWork<Told, End> =
  /** Number of exchanges that were taken since the last such message. */
  | { readonly kind: "taken"; readonly exchanges: number }
  | { readonly kind: "told"; readonly told: readonly Told[] }
  /** The work threw an error, and stops. */
  | { readonly kind: "broke"; readonly reason: string }
  | { readonly kind: "ended"; readonly end: End };

/** Message port of the thread. */
export interface WorkPort<Told, End> {
  on(event: "message", take: (message: ToWork) => void): unknown;
  postMessage(message: FromWork<Told, End>): void;
}

/** Number of exchanges that are acknowledged at a time. */
const AT_A_TIME = 50;

/** Runs the work in its thread. */
export function workBeside<Told, End>(port: WorkPort<Told, End>, work: BesideWork<Told, End>): void {
  let broken = false;
  let taken = 0;
  const tell = (told: readonly Told[]) => {
    if (told.length > 0) port.postMessage({ kind: "told", told });
  };
  const acknowledge = () => {
    port.postMessage({ kind: "taken", exchanges: taken });
    taken = 0;
  };
  const guarded = (step: () => void) => {
    if (broken) return;
    try {
      step();
    } catch (thrown) {
      broken = true;
      acknowledge();
      port.postMessage({ kind: "broke", reason: thrownLine(thrown) });
    }
  };
  port.on("message", (message) => {
    guarded(() => {
      if (message.kind === "end") port.postMessage({ kind: "ended", end: work.end() });
      else if (message.kind === "tick") tell(work.tick(message.nowMs, message.openSinceMs));
      else {
        tell(work.take(message.exchange, message.openSinceMs));
        taken += 1;
        if (taken >= AT_A_TIME) acknowledge();
      }
    });
  });
}

/** A thread as its starter sees it. */
export interface WorkThread<Told, End> {
  on(event: "message", take: (message: FromWork<Told, End>) => void): unknown;
  /** The thread threw an uncaught error, or ran out of memory. */
  on(event: "error", take: (error: Error) => void): unknown;
  on(event: "exit", take: () => void): unknown;
  postMessage(message: ToWork): void;
  terminate(): Promise<unknown>;
}

/** Result of the work. */
export interface WorkDone<End> {
  /** Absent where it did not finish. */
  readonly end?: End;
  /** Number of exchanges that it did not see, since it was behind or had failed. */
  readonly missed: number;
  /** Why it failed, or did not finish. */
  readonly broke?: string;
}

/** Called, once each, with the state of the work. */
interface WorkEvents<Told> {
  told(told: readonly Told[]): void;
  /** The queue is full: exchanges are skipped until the work has caught up. */
  behind(): void;
  broke(reason: string): void;
}

/** Limits of the queue. */
export interface WorkRoom {
  readonly exchanges: number;
  readonly bytes: number;
}

const USUAL_ROOM: WorkRoom = { exchanges: 20_000, bytes: 256 * 1024 * 1024 };

/**
 * Work that a thread does alongside the traffic. Whatever happens to the thread (it throws, hangs, dies, is slow), handing
 * over an exchange takes no longer, throws no error, and never exceeds the limits of the queue.
 */
export class Beside<Told, End> {
  readonly #thread: WorkThread<Told, End>;
  readonly #events: WorkEvents<Told>;
  readonly #room: WorkRoom;
  /** Bytes of the queued exchanges, in order; those before `#first` were taken. */
  #waiting: number[] = [];
  #first = 0;
  #bytes = 0;
  #missed = 0;
  #wasBehind = false;
  #broke: string | undefined;
  #end: { readonly value: End } | undefined;
  #ended: () => void = () => {};

  constructor(thread: WorkThread<Told, End>, events: WorkEvents<Told>, room: WorkRoom = USUAL_ROOM) {
    this.#thread = thread;
    this.#events = events;
    this.#room = room;
    thread.on("message", (message) => this.#heard(message));
    thread.on("error", (error) => this.#breaks(error.message));
    thread.on("exit", () => this.#breaks("its thread ended"));
  }

  /** Queues an exchange, unless the queue is full. */
  offer(exchange: PassedExchange, openSinceMs: number): void {
    const bytes = exchange.request.body.length + (exchange.response?.body.length ?? 0);
    const full =
      this.#waiting.length - this.#first >= this.#room.exchanges || this.#bytes + bytes > this.#room.bytes;
    if (this.#broke !== undefined || full) {
      this.#missed += 1;
      if (this.#broke === undefined && !this.#wasBehind) {
        this.#wasBehind = true;
        this.#events.behind();
      }
      return;
    }
    this.#waiting.push(bytes);
    this.#bytes += bytes;
    this.#thread.postMessage({ kind: "exchange", exchange, openSinceMs });
  }

  /** Reports the time. @param openSinceMs when the earliest pending request began */
  tick(nowMs: number, openSinceMs: number): void {
    if (this.#broke === undefined) this.#thread.postMessage({ kind: "tick", nowMs, openSinceMs });
  }

  /** Ends the work and the thread. @param patience settles at the timeout, or when the signal aborts the wait */
  async end(patience: (wait: { readonly signal: AbortSignal }) => Promise<void>): Promise<WorkDone<End>> {
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
      if (this.#broke !== undefined) resolve();
    });
    if (this.#broke === undefined) this.#thread.postMessage({ kind: "end" });
    const over = new AbortController();
    const gaveUp = patience(over).then(
      () => "it came to no end",
      () => undefined,
    );
    const late = await Promise.race([ended.then(() => undefined), gaveUp]);
    over.abort();
    const broke = this.#broke ?? late;
    this.#broke ??= "it has ended";
    await this.#thread.terminate();
    return {
      ...(this.#end === undefined ? {} : { end: this.#end.value }),
      missed: this.#missed,
      ...(broke === undefined || this.#end !== undefined ? {} : { broke }),
    };
  }

  #heard(message: FromWork<Told, End>): void {
    if (message.kind === "told") this.#events.told(message.told);
    else if (message.kind === "broke") this.#breaks(message.reason);
    else if (message.kind === "ended") {
      this.#end = { value: message.end };
      this.#ended();
    } else this.#taken(message.exchanges);
  }

  #taken(exchanges: number): void {
    for (let count = 0; count < exchanges; count++) this.#bytes -= this.#waiting[this.#first + count] ?? 0;
    this.#first += exchanges;
    if (this.#first < this.#waiting.length / 2) return;
    this.#waiting = this.#waiting.slice(this.#first);
    this.#first = 0;
  }

  #breaks(reason: string): void {
    if (this.#broke !== undefined || this.#end !== undefined) return;
    this.#broke = reason;
    this.#missed += this.#waiting.length - this.#first;
    this.#waiting = [];
    this.#events.broke(reason);
    this.#ended();
  }
}
