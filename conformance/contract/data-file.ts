/** Reads data files (YAML, and so JSON), and locates each of their values. */
import { isUtf8 } from "node:buffer";
import { readFileSync, type Stats, statSync } from "node:fs";
import { relative } from "node:path";
import {
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from "js-yaml";

/** A path from the root of a document: keys of maps and indexes of sequences. */
export type Path = readonly (string | number)[];

/** Faults in data files. Each line of the message is one fault: `file:line:column: what is wrong`. */
export class DataError extends Error {
  override readonly name = "DataError";
}

/** Returns what an error of the file system means, or another error unchanged. @param verb what failed */
export function fileError(file: string, verb: "read" | "written", error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const isMissing = code === "ENOENT" && verb === "read";
  return new DataError(
    isMissing ? `${file}: no such file or folder` : `${file}: cannot be ${verb} (${code})`,
  );
}

/** Replaces a text, or returns undefined if it is not well-formed. */
export type FillText = (text: string) => string | number | undefined;

const MAX_BYTES = 4 * 1024 * 1024;
/** An alias repeats all that its anchor contains, so a small file with many could exhaust the memory. */
const MAX_ALIASES = 32;
/** Numbers that are easily meant as text: leading zeros, hexadecimal, octal, or with an exponent. */
const TEXT_LIKE_NUMBER = /^[-+]?(?:0\d+|0[xo][\da-f]+|\d+(?:\.\d*)?e[-+]?\d+)$/i;

/**
 * Reads a YAML 1.2 file.
 * @param fillText replaces each text of the document (default: keeps it)
 * @throws {DataError} if it is not a regular file of at most 4 MiB in UTF-8, or is not a YAML document
 */
export function readDataFile(path: string, fillText?: FillText): DataFile {
  const file = shownPath(path);
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new DataError(`${file}: is ${kindOf(stats)}; give a regular file`);
    if (stats.size > MAX_BYTES) throw new DataError(`${file}: has ${stats.size} bytes; the limit is 4 MiB`);
    return new DataFile(file, decode(file, readFileSync(path)), fillText);
  } catch (error) {
    throw fileError(file, "read", error);
  }
}

/** Returns a path as shown to people: relative to the working directory if it is below it. */
export function shownPath(path: string): string {
  const shortPath = relative(process.cwd(), path);
  return shortPath === "" || shortPath.startsWith("..") ? path : shortPath;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFIFO() ? "a pipe" : "a device or a socket";
}

/** Decodes UTF-8. Names what else the bytes are, because a parser would report something confusing. */
function decode(file: string, bytes: Buffer): string {
  const start = bytes.subarray(0, 2).toString("hex");
  const isUtf16 = start === "fffe" || start === "feff" || (bytes.length > 1 && /^00|00$/.test(start));
  if (isUtf16) throw new DataError(`${file}:1:1: the file is in UTF-16; save it in UTF-8`);
  const text = bytes.toString("utf8");
  if (text.startsWith("\uFEFF"))
    throw new DataError(`${file}:1:1: the file starts with a byte order mark; remove it`);
  const [bad, what] = isUtf8(bytes)
    ? ["\0", "a NUL character; remove it"]
    : ["\uFFFD", "bytes that are not UTF-8; save the file in UTF-8"];
  if (!text.includes(bad)) return text;
  const { line, column } = positionOf(text.indexOf(bad), lineStartsOf(text));
  throw new DataError(`${file}:${line}:${column}: the file contains ${what}`);
}

/** A data file, and the faults found in it. */
export class DataFile {
  readonly file: string;
  /** The document as JSON values, or null if the file is empty. */
  readonly value: unknown;
  readonly #lineStarts: readonly number[];
  readonly #root: Place;
  /** Offset of each fault, by its message: cases of one vector repeat faults. */
  readonly #faults = new Map<string, number>();

  /** @throws {DataError} if the text is not one YAML document */
  constructor(file: string, text: string, fillText?: FillText) {
    this.file = file;
    this.#lineStarts = lineStartsOf(text);
    try {
      const events = parseEvents(text, {});
      const values = constructFromEvents(events, { source: text, maxAliases: MAX_ALIASES });
      const value = values[0] ?? null;
      this.#root = readPlaces(text, events, (offset, message) => this.#addFaultAt(offset, message));
      this.value = fillText === undefined ? value : this.#fill(value, fillText, []);
      if (values.length > 1) this.addFault([], "the file contains more than one YAML document; keep one");
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const { line, column } = error.mark ?? { line: 0, column: 0 };
      throw new DataError(`${file}:${line + 1}:${column + 1}: ${error.reason}`);
    }
    this.throwFaults();
  }

  /** Returns a value with all its texts filled in. Adds a fault for each that cannot be. */
  #fill(value: unknown, fillText: FillText, path: Path): unknown {
    if (typeof value === "string") {
      const filled = fillText(value);
      if (filled === undefined) this.addFault(path, `${JSON.stringify(value)} is not an expression`);
      return filled ?? value;
    }
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((item, index) => this.#fill(item, fillText, [...path, index]));
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, this.#fill(item, fillText, [...path, key])]),
    );
  }

  /** Returns the 1-based line of the key or item at a path, or of its nearest existing ancestor. */
  line(path: Path): number {
    return positionOf(this.#offsetOf(path), this.#lineStarts).line;
  }

  /** Adds a fault of the key or item at a path, or of its nearest existing ancestor. */
  addFault(path: Path, message: string): void {
    this.#addFaultAt(this.#offsetOf(path), message);
  }

  /** @throws {DataError} with all faults added so far, in the order of the file */
  throwFaults(): void {
    if (this.#faults.size === 0) return;
    const faults = [...this.#faults].sort(([, one], [, other]) => one - other);
    throw new DataError(faults.map(([message]) => message).join("\n"));
  }

  #addFaultAt(offset: number, message: string): void {
    const oneLine = message.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
    const { line, column } = positionOf(offset, this.#lineStarts);
    this.#faults.set(`${this.file}:${line}:${column}: ${oneLine}`, offset);
  }

  #offsetOf(path: Path): number {
    let place = this.#root;
    for (const segment of path) {
      const inner = place.inner.get(String(segment));
      if (inner === undefined) break;
      place = inner;
    }
    return place.offset;
  }
}

/** Returns the offset of the start of each line. */
function lineStartsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
}

/** Returns the 1-based line and column of an offset. */
function positionOf(offset: number, lineStarts: readonly number[]) {
  const index = lineStarts.findLastIndex((start) => start <= offset);
  return { line: index + 1, column: offset - (lineStarts[index] ?? 0) + 1 };
}

/** The place of a key or item, and the places in its value, by key or index. */
interface Place {
  readonly offset: number;
  readonly inner: ReadonlyMap<string, Place>;
}

const NO_PLACES: Place["inner"] = new Map();

/**
 * Reads the places of a document's values from its parse events.
 * @param addFault receives each plain scalar that is read as a number but looks like text
 */
function readPlaces(
  text: string,
  events: readonly Event[],
  addFault: (offset: number, message: string) => void,
): Place {
  // The first event opens the document.
  let next = 1;
  let lastOffset = 0;

  /** Reads the node at the next event. Returns undefined at the end of a collection. */
  function readNode(keyOffset?: number): Place | undefined {
    const event = events[next];
    next += 1;
    if (event === undefined || event.type === EVENT_ID.POP) return undefined;
    lastOffset = startOf(event) ?? lastOffset;
    const offset = keyOffset ?? lastOffset;
    const isCollection = event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE;
    if (isCollection) return { offset, inner: readInner(event.type === EVENT_ID.MAPPING) };
    if (event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN) {
      const scalar = text.slice(event.valueStart, event.valueEnd);
      if (TEXT_LIKE_NUMBER.test(scalar))
        addFault(lastOffset, `${scalar} is read as the number ${Number(scalar)}; put it in quotes`);
    }
    return { offset, inner: NO_PLACES };
  }

  function readInner(isMapping: boolean): Place["inner"] {
    const inner = new Map<string, Place>();
    for (;;) {
      const event = events[next];
      const first = readNode();
      const place = isMapping && first !== undefined ? readNode(first.offset) : first;
      if (place === undefined) return inner;
      if (!isMapping) inner.set(String(inner.size), place);
      else if (event?.type === EVENT_ID.SCALAR) inner.set(getScalarValue(text, event), place);
    }
  }

  return readNode() ?? { offset: 0, inner: NO_PLACES };
}

/** Returns the offset where a node starts, or undefined if it is empty. */
function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) return undefined;
  // A quoted value starts after its quote.
  return event.valueStart - (event.style === SCALAR_STYLE.PLAIN ? 0 : 1);
}
