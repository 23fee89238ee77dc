import { thrownLine } from "../adapters/one-line.ts";
import type { PassedExchange } from "./passed-exchange.ts";

/** What is done with the traffic beside it, in a thread of its own. */
export interface BesideWork<Told, End> {
  /**
   * Takes in an exchange, once it is over.
   * @param openSinceMs when the earliest request began that is still under way
   * @returns what is to be told at once
   */
  take(exchange: PassedExchange, openSinceMs: number): readonly Told[];
  /** Does what had to wait for others, as far as its time has come: all that ended before this moment was taken in. */
  tick(nowMs: number, openSinceMs: number): readonly Told[];
  /** Ends the work, and gives what came of it. */
  end(): End;
}

/** What the thread is sent. */
export type ToWork =
  | { readonly kind: "exchange"; readonly exchange: PassedExchange; readonly openSinceMs: number }
  | { readonly kind: "tick"; readonly nowMs: number; readonly openSinceMs: number }
  | { readonly kind: "end" };

/** What it sends. */
type FromWork<Told, End> =
  /** So many exchanges were taken in since the last word on it. */
  | { readonly kind: "taken"; readonly exchanges: number }
  | { readonly kind: "told"; readonly told: readonly Told[] }
  /** The work threw: no more is done of it. */
  | { readonly kind: "broke"; readonly reason: string }
  | { readonly kind: "ended"; readonly end: End };

/** How a thread speaks with whoever started it. */
export interface WorkPort<Told, End> {
  on(event: "message", take: (message: ToWork) => void): unknown;
  postMessage(message: FromWork<Told, End>): void;
}

/** Exchanges are acknowledged so many at a time. */
const AT_A_TIME = 50;

/** Does the work in its thread, for whoever sends it exchanges. */
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

/** A thread, as far as whoever started it has to do with it. */
export interface WorkThread<Told, End> {
  on(event: "message", take: (message: FromWork<Told, End>) => void): unknown;
  /** The thread threw what nobody caught, or had no more memory. */
  on(event: "error", take: (error: Error) => void): unknown;
  on(event: "exit", take: () => void): unknown;
  postMessage(message: ToWork): void;
  terminate(): Promise<unknown>;
}

/** What came of the work. */
export interface WorkDone<End> {
  /** Absent where it came to no end. */
  readonly end?: End;
  /** Exchanges that it never saw, since it was behind or had broken. */
  readonly missed: number;
  /** Why it broke, or came to no end. */
  readonly broke?: string;
}

/** Told, once each, of what became of the work. */
interface WorkEvents<Told> {
  told(told: readonly Told[]): void;
  /** It is behind by more than is held: exchanges pass without it until it has caught up. */
  behind(): void;
  broke(reason: string): void;
}

/** So much may wait for a thread; more would be held in memory for ever where it is the slower. */
export interface WorkRoom {
  readonly exchanges: number;
  readonly bytes: number;
}

const USUAL_ROOM: WorkRoom = { exchanges: 20_000, bytes: 256 * 1024 * 1024 };

/**
 * Work that is done beside the traffic by a thread. Whatever becomes of that (it throws, hangs, dies, is too slow), handing
 * an exchange over takes no longer, throws nothing, and holds no more memory than there is room.
 */
export class Beside<Told, End> {
  readonly #thread: WorkThread<Told, End>;
  readonly #events: WorkEvents<Told>;
  readonly #room: WorkRoom;
  /** Bytes of what waits, in the order in which it was handed over; what was taken is before `#first`. */
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

  /** Hands an exchange over, where there is room for it. */
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

  /** Tells how time passes. @param openSinceMs when the earliest request began that is still under way */
  tick(nowMs: number, openSinceMs: number): void {
    if (this.#broke === undefined) this.#thread.postMessage({ kind: "tick", nowMs, openSinceMs });
  }

  /** Ends the work, and the thread. @param patience settles when its end is no longer awaited, or when the wait is over */
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
