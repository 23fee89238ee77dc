import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Writes bytes into an open file, or as many of them as find room; in a pipe there are no places. */
export type WriteBytes = (
  descriptor: number,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
) => number;

/** A file that is whole after each part that is added: its end is written behind it, and goes on with the next. */
export class GrowingFile {
  readonly #end: string;
  readonly #writeBytes: WriteBytes;
  readonly #descriptor: number;
  /** Where the next part is to stand; undefined in what is no file, such as a pipe. */
  #at: number | undefined;

  /** @throws the file system's error, where the file cannot be written */
  constructor(file: string, end: string, writeBytes: WriteBytes = writeSync) {
    this.#end = end;
    this.#writeBytes = writeBytes;
    this.#descriptor = openSync(file, "w", 0o600);
    this.#at = fstatSync(this.#descriptor).isFile() ? 0 : undefined;
  }

  /** Whether a part that could not be added can be tried again: nothing is left of it. */
  get canGoOn(): boolean {
    return this.#at !== undefined;
  }

  /** Adds a part, or nothing of it. @throws the file system's error */
  add(text: string): void {
    const at = this.#at;
    if (at === undefined) {
      this.#put(text, undefined);
      return;
    }
    try {
      this.#put(text + this.#end, at);
    } catch (thrown) {
      this.#cutBack(at);
      throw thrown;
    }
    this.#at = at + Buffer.byteLength(text);
  }

  /** @throws the file system's error, where the end cannot be written */
  close(): void {
    try {
      if (this.#at === undefined) this.#put(this.#end, undefined);
    } finally {
      closeSync(this.#descriptor);
    }
  }

  /** Leaves nothing of what was not written whole: there is room for the end, which stood there before. */
  #cutBack(at: number): void {
    try {
      ftruncateSync(this.#descriptor, at);
      if (at > 0) this.#put(this.#end, at);
    } catch {
      // The disk is gone, and with it the file: that is told for the part.
    }
  }

  #put(text: string, at: number | undefined): void {
    const bytes = Buffer.from(text);
    for (let put = 0; put < bytes.length; )
      put += this.#writeBytes(
        this.#descriptor,
        bytes,
        put,
        bytes.length - put,
        at === undefined ? null : at + put,
      );
  }
}
