/** Reads files of many JSON values, one value at a time, so that the size of a file does not matter. */
import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { DataError, shownPath, withRegularFile } from "./data-file.ts";

/** Place of a value in a file. */
export interface ValuePlace {
  /** Line, from 1. */
  readonly line: number;
  /** First byte, and the byte after the last. */
  readonly start: number;
  readonly end: number;
}

const CHUNK_BYTES = 1 << 20;
/** Limit on one value, because a file without line breaks could fill the memory. */
const MAX_VALUE_BYTES = 64 * CHUNK_BYTES;

/** Starts of files whose values are the entries of a HAR log (HAR 1.2, section "log"), or items of a list. */
const HAR_START = /^\s*\{\s*"log"\s*:/;
const LIST_START = /^\s*\[/;
const OBJECT_START = /^\s*\{\s*\n/;
/** Number of brackets that are open before a value that can have several lines. */
const DEPTHS = { lines: undefined, objects: 0, list: 1, member: 2, har: 3 };

/**
 * A file of JSON values: lines, objects of several lines, items of a list or of a member of an object, or the
 * entries of a HAR log.
 */
export class JsonFile {
  readonly name: string;
  readonly form: keyof typeof DEPTHS;
  readonly #path: string;
  /** The content in UTF-8, if the file is in UTF-16. */
  readonly #converted: Buffer | undefined;

  /**
   * @param form form of the file (default: the form that its start shows)
   * @throws {DataError} if it is not a regular file
   */
  constructor(path: string, form?: keyof typeof DEPTHS) {
    this.#path = path;
    this.name = shownPath(path);
    const mark = this.#bytes(0, 2).toString("hex");
    if (mark === "fffe" || mark === "feff") {
      const bytes = withRegularFile(path, (_, size) => this.#bytes(0, size));
      this.#converted = Buffer.from(new TextDecoder(mark === "fffe" ? "utf-16le" : "utf-16be").decode(bytes));
    }
    const head = this.#bytes(this.#firstByte(), 4096).toString();
    const other = LIST_START.test(head) ? "list" : OBJECT_START.test(head) ? "objects" : "lines";
    this.form = form ?? (HAR_START.test(head) ? "har" : other);
  }

  /** Returns the text of a value that {@link scan} has found. @throws {DataError} */
  read({ start, end }: ValuePlace): string {
    return this.#bytes(start, end).toString();
  }

  /**
   * Calls a function for each value, in the order of the file.
   * @returns whether the file ends in the middle of a value, as it does if its writer was stopped
   * @throws {DataError} if a value is too long, or not in UTF-8
   */
  scan(visit: (text: string, place: ValuePlace) => void): boolean {
    const depth = DEPTHS[this.form];
    const splitter = depth === undefined ? new LineSplitter() : new ObjectSplitter(depth);
    let [kept, offset, line] = [Buffer.alloc(0), this.#firstByte(), 1];
    for (;;) {
      const more = this.#bytes(offset + kept.length, offset + kept.length + CHUNK_BYTES);
      const bytes = Buffer.concat([kept, more]);
      let counted = 0;
      const countTo = (index: number) => {
        line += lineBreaksIn(bytes.subarray(counted, index));
        counted = index;
      };
      for (const [start, end] of splitter.split(bytes, kept.length, more.length === 0)) {
        countTo(start);
        const value = bytes.subarray(start, end);
        if (!isUtf8(value)) throw new DataError(`${this.name}:${line}: is not UTF-8; save the file in UTF-8`);
        visit(value.toString(), { line, start: offset + start, end: offset + end });
      }
      if (more.length === 0) return splitter.isOpen;
      const next = Math.min(splitter.start, bytes.length);
      countTo(next);
      splitter.start -= next;
      kept = bytes.subarray(next);
      offset += next;
      if (kept.length > MAX_VALUE_BYTES)
        throw new DataError(
          `${this.name}:${line}: is longer than the limit of ${MAX_VALUE_BYTES / CHUNK_BYTES} MiB`,
        );
    }
  }

  #firstByte(): number {
    return this.#bytes(0, 3).toString("hex") === "efbbbf" ? 3 : 0;
  }

  #bytes(start: number, end: number): Buffer {
    if (this.#converted !== undefined) return this.#converted.subarray(start, end);
    return withRegularFile(this.#path, (descriptor) => {
      const bytes = Buffer.allocUnsafe(end - start);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
    });
  }
}

/** Finds the lines in successive parts of a file. */
class LineSplitter {
  /** Start of the line that has no end yet. */
  start = 0;
  /** Whether the last line has no line break. */
  isOpen = false;

  /** Returns the start and end of each line. @param from index of the first byte that is new */
  *split(bytes: Buffer, from: number, isLast: boolean): Generator<readonly [number, number]> {
    for (let end = bytes.indexOf("\n", from); end >= 0; end = bytes.indexOf("\n", end + 1)) {
      yield [this.start, end];
      this.start = end + 1;
    }
    if (!isLast || this.start >= bytes.length) return;
    this.isOpen = true;
    yield [this.start, bytes.length];
  }
}

function lineBreaksIn(bytes: Buffer): number {
  let count = 0;
  for (let index = bytes.indexOf("\n"); index >= 0; index = bytes.indexOf("\n", index + 1)) count += 1;
  return count;
}

/** Finds the objects at one depth in successive parts of a JSON text. */
class ObjectSplitter {
  /** Start of the object that has no end yet, or infinity. */
  start = Number.POSITIVE_INFINITY;
  readonly #depth: number;
  #open = 0;
  #inString = false;
  #isEscaped = false;

  constructor(depth: number) {
    this.#depth = depth;
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Returns the start and end of each object. @param from index of the first byte that is new */
  *split(bytes: Buffer, from: number): Generator<readonly [number, number]> {
    for (let index = from; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (byte === OPEN_BRACE && this.#open === this.#depth) this.start = index;
        this.#open += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#open -= 1;
        if (this.#open !== this.#depth || this.start > index) continue;
        yield [this.start, index + 1];
        this.start = Number.POSITIVE_INFINITY;
      }
    }
  }
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = Buffer.from('"\\{}[]');
