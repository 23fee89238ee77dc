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
export type FromWork<Told, End> =
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
