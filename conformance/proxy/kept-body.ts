/** Keeps what passes of a body, up to so many bytes, and counts the rest. */
export class KeptBody {
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that passed. */
  get bytes(): number {
    return this.#bytes;
  }

  take(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const room = this.#most - this.#kept;
    if (room <= 0) return;
    const part = chunk.length <= room ? chunk : chunk.subarray(0, room);
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** What was kept, in an array of its own: what passed lies in large buffers of the connection, which it would hold. */
  whole(): Uint8Array {
    const whole = new Uint8Array(this.#kept);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [];
    return whole;
  }
}
