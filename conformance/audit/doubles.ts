import { createHash } from "node:crypto";
import type { Recorded, RecordedExchange } from "../engine/audit/recorded.ts";

/** After so many exchanges it is looked which can have no double any more. */
const SWEEP = 1_000;

/**
 * Leaves out what another recording has, too: one that was exported twice, or the recordings of two who listened to the same.
 * Two exchanges of two recordings are one where they are alike in all that was asked and answered, and overlap; what has no
 * body may well be asked by many at once, and it does not matter how often.
 */
export class Doubles {
  readonly #doubtMs: number;
  readonly #seen = new Map<string, { readonly file: string; readonly endedMs: number }>();
  #leftOut = 0;
  #taken = 0;

  /** @param doubtMs how far the clocks of those who recorded may be apart */
  constructor(doubtMs: number) {
    this.#doubtMs = doubtMs;
  }

  /** How many were left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** What is left of items in the order in which they began. */
  *without(items: Iterable<Recorded>): Generator<Recorded, void, undefined> {
    for (const item of items) {
      const isOne = item.kind === "restart" || item.request.body === undefined || !this.#isDouble(item);
      if (isOne) yield item;
      else this.#leftOut += 1;
    }
  }

  #isDouble(item: RecordedExchange): boolean {
    const { source, startedMs, endedMs } = item;
    this.#taken += 1;
    if (this.#taken % SWEEP === 0) this.#forget(startedMs - this.#doubtMs);
    const name = nameOf(item);
    const earlier = this.#seen.get(name);
    if (earlier !== undefined && earlier.file !== source.file && earlier.endedMs + this.#doubtMs >= startedMs)
      return true;
    this.#seen.set(name, { file: source.file, endedMs });
    return false;
  }

  #forget(beforeMs: number): void {
    for (const [name, { endedMs }] of this.#seen) if (endedMs < beforeMs) this.#seen.delete(name);
  }
}

/** The same for exchanges that are alike. */
function nameOf({ request, response, clockMs }: RecordedExchange): string {
  const { method, path, bearer, authorization, idempotencyKey, body } = request;
  const parts = [
    method,
    path,
    bearer,
    authorization,
    idempotencyKey,
    response?.status,
    clockMs,
    body,
    response?.body,
  ];
  const hash = createHash("sha1");
  for (const part of parts) {
    hash.update(part instanceof Uint8Array ? part : JSON.stringify(part ?? null));
    hash.update("\n");
  }
  return hash.digest("base64");
}
