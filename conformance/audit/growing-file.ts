import { closeSync, fstatSync, openSync, writeSync } from "node:fs";

/** A file that grows while it is whole at any time: its end stands behind what was written last, and gives way to more. */
export class GrowingFile {
  readonly #end: string;
  readonly #descriptor: number;
  /** Where the next text is to stand; nowhere certain in what is no file, such as a pipe. */
  #at: number | undefined;
  #fault: string | undefined;

  /**
   * @param end what stands at the end of the file
   * @throws the file system's error, where the file cannot be written
   */
  constructor(file: string, end: string) {
    this.#end = end;
    this.#descriptor = openSync(file, "w", 0o600);
    this.#at = fstatSync(this.#descriptor).isFile() ? 0 : undefined;
  }

  /** Why something could not be written; nothing is written after it. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Writes a text behind what is there. @returns whether it is written */
  write(text: string): boolean {
    if (this.#fault !== undefined) return false;
    try {
      if (this.#at === undefined) this.#put(Buffer.from(text), undefined);
      else {
        this.#put(Buffer.from(text + this.#end), this.#at);
        this.#at += Buffer.byteLength(text);
      }
      return true;
    } catch (thrown) {
      this.#fault = (thrown as NodeJS.ErrnoException).code ?? "no reason told";
      return false;
    }
  }

  /** There is no more. */
  close(): void {
    if (this.#at === undefined) this.write(this.#end);
    closeSync(this.#descriptor);
  }

  #put(bytes: Uint8Array, at: number | undefined): void {
    for (let put = 0; put < bytes.length; )
      put += writeSync(this.#descriptor, bytes, put, bytes.length - put, at === undefined ? null : at + put);
  }
}
