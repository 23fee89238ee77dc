import { LOG_BYTES } from "./tail-log.ts";

/** The ring's bytes, after a counter of all that was ever written to it. */
const COUNTER_BYTES = 8;

/**
 * The last {@link LOG_BYTES} that a worker printed, in memory shared with the main thread. A flood costs nothing, and
 * the text is there even when the worker loops without end and could pass no message.
 */
export class SharedLog {
  readonly memory: SharedArrayBuffer;
  readonly #written: BigInt64Array;
  readonly #ring: Uint8Array;

  /** @param memory that of the same log in the other thread; a new log without it */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(COUNTER_BYTES + LOG_BYTES)) {
    this.memory = memory;
    this.#written = new BigInt64Array(memory, 0, 1);
    this.#ring = new Uint8Array(memory, COUNTER_BYTES);
  }

  /** Adds text or bytes; only one thread may write. */
  append(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    const before = Number(Atomics.load(this.#written, 0));
    const skipped = Math.max(0, bytes.length - LOG_BYTES);
    const kept = bytes.subarray(skipped);
    const at = (before + skipped) % LOG_BYTES;
    const first = kept.subarray(0, LOG_BYTES - at);
    this.#ring.set(first, at);
    this.#ring.set(kept.subarray(first.length), 0);
    Atomics.store(this.#written, 0, BigInt(before + bytes.length));
  }

  text(): string {
    const written = Number(Atomics.load(this.#written, 0));
    const end = written % LOG_BYTES;
    if (written <= LOG_BYTES) return Buffer.from(this.#ring.subarray(0, written)).toString();
    return Buffer.concat([this.#ring.subarray(end), this.#ring.subarray(0, end)]).toString();
  }
}
