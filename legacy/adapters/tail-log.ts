/** How much of what an implementation writes for people is kept: enough for a stack trace and what led up to it. */
export const LOG_BYTES = 64 * 1024;

/** Keeps the last {@link LOG_BYTES} of a stream, however much flows through it. */
export class TailLog {
  #chunks: Buffer[] = [];
  #bytes = 0;

  append(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Joined only once it is twice too much, so that many small writes cost no more than few large ones.
    if (this.#bytes > 2 * LOG_BYTES || this.#chunks.length > 4096) this.#compact();
  }

  text(): string {
    this.#compact();
    return this.#chunks.join("");
  }

  #compact(): void {
    const tail = Buffer.concat(this.#chunks).subarray(-LOG_BYTES);
    // A copy, since a subarray would keep the whole of what it was cut from.
    this.#chunks = [Buffer.from(tail)];
    this.#bytes = tail.length;
  }
}
