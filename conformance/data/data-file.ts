/** Reads data files (YAML, which includes JSON), and finds the line of each value. */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, openSync, readSync, type Stats, statSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import type { LineCounter, Pair, Scalar } from "yaml";

const require = createRequire(import.meta.url);
/** Returns the parser of YAML. Loads it for the first file, because compiled data needs no parser. */
export const yaml = (): typeof import("yaml") => require("yaml");

/** A path from the root of a document: keys of maps and indexes of sequences. */
export type Path = readonly (string | number)[];

/** Faults in data files. Each line of the message is one fault: `file:line:column: what is wrong`. */
export class DataError extends Error {
  override readonly name = "DataError";
}

/** Converts a file system error to a DataError. Returns other errors as is. @param verb failed operation */
export function fileError(file: string, verb: "read" | "written", error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const isMissing = code === "ENOENT" && verb === "read";
  const fault = isMissing ? "no such file or folder" : `cannot be ${verb} (${code})`;
  return new DataError(`${file}: ${fault}`);
}

/** Function that replaces a text. It returns undefined if the text is not well-formed. */
type FillText = (text: string) => string | number | undefined;

const MIB = 1024 * 1024;
const MAX_BYTES = 4 * MIB;
/** An alias repeats the whole value of its anchor, so a few lines with aliases could exhaust the memory. */
const MAX_ALIASES = 100;
/** Numbers that are probably meant as text: with leading zeros or an exponent, or hexadecimal, or octal. */
const TEXT_LIKE_NUMBER = /^[-+]?(?:0\d+|0[xo][\da-f]+|\d+(?:\.\d*)?e[-+]?\d+)$/i;

/**
 * Reads a YAML 1.2 file.
 * @param fillText replaces each text of the document (default: keeps it)
 * @throws {DataError} if it is not a regular file of at most 4 MiB in UTF-8, or is not a YAML document
 */
export function readDataFile(path: string, fillText?: FillText): DataFile {
  const file = shownPath(path);
  return new DataFile(file, decode(file, readRegularFile(path, MAX_BYTES)), fillText);
}

/**
 * Reads a file that someone else may have made. Waits for nothing, and reads no more than the limit.
 * @throws {DataError} if it is not a regular file, or is longer than `maxBytes`
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  return withRegularFile(path, (descriptor, size) => {
    // A file of the kernel can have no end, and its size is then 0.
    const bytes = size > maxBytes ? undefined : readUpTo(descriptor, maxBytes);
    if (bytes !== undefined) return bytes;
    throw new DataError(`${shownPath(path)}: is longer than the limit of ${maxBytes / MIB} MiB`);
  });
}

/**
 * Opens a file that someone else may have made, for the time of a function call.
 * @throws {DataError} if it is not a regular file, or cannot be read
 */
export function withRegularFile<Value>(
  path: string,
  use: (descriptor: number, size: number) => Value,
): Value {
  const file = shownPath(path);
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new DataError(`${file}: is ${kindOf(stats)}; give a regular file`);
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return use(descriptor, stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError(file, "read", error);
  }
}

/** Returns the rest of a file, or undefined if it is longer than `maxBytes`. */
function readUpTo(descriptor: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let length = 0; length <= maxBytes; ) {
    const chunk = Buffer.allocUnsafe(MIB);
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  return undefined;
}

/** Returns a path for messages: relative to the working directory if the file is below it. */
export function shownPath(path: string): string {
  const shortPath = relative(process.cwd(), path);
  return shortPath === "" || shortPath.startsWith("..") ? path : shortPath;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFIFO() ? "a pipe" : "a device or a socket";
}

/** Decodes UTF-8. Reports other encodings itself, because the errors of a parser would be confusing. */
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
  const lines = text.slice(0, text.indexOf(bad)).split(/\r\n|\r|\n/);
  const column = (lines.at(-1) ?? "").length + 1;
  throw new DataError(`${file}:${lines.length}:${column}: the file contains ${what}`);
}

/** A data file, and the faults found in it. */
export class DataFile {
  readonly file: string;
  /** The document as JSON values, or null if the file is empty. */
  readonly value: unknown;
  readonly #lines: LineCounter;
  readonly #root: unknown;
  /** Members of each map, by key. */
  readonly #pairs = new Map<unknown, ReadonlyMap<string, Pair>>();
  /** Offset of each fault, by message. A fault that several cases of a vector repeat is reported once. */
  readonly #faults = new Map<string, number>();

  /** @throws {DataError} if the text is not one YAML document */
  constructor(file: string, text: string, fillText: FillText = (whole) => whole) {
    const { isPair, isScalar, LineCounter, parseDocument, visit } = yaml();
    this.file = file;
    this.#lines = new LineCounter();
    const document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // The parser's own check of keys takes minutes for a map of 150,000 keys.
      uniqueKeys: false,
      logLevel: "error",
    });
    this.#root = document.contents;
    for (const { pos, code, message } of document.errors)
      this.#addFaultAt(pos[0], code === "MULTIPLE_DOCS" ? MULTIPLE_DOCUMENTS : uncapitalized(message));
    this.throwFaults();
    visit(document, {
      Map: (_, map) => {
        const keys = new Set<unknown>();
        const pairs = new Map<string, Pair>();
        for (const pair of map.items) {
          if (!isScalar(pair.key)) continue;
          const { value, range } = pair.key;
          if (keys.has(value)) this.#addFaultAt(range?.[0] ?? 0, "duplicated mapping key");
          keys.add(value);
          pairs.set(String(value), pair);
        }
        this.#pairs.set(map, pairs);
      },
      Scalar: (key, scalar, ancestors) => {
        const { type, source = "", value, range } = scalar;
        if (type === "PLAIN" && typeof value === "number" && TEXT_LIKE_NUMBER.test(source))
          this.#addFaultAt(range?.[0] ?? 0, `${source} is read as the number ${value}; put it in quotes`);
        if (typeof value !== "string" || key === "key") return;
        scalar.value = fillText(value);
        const parent = ancestors.at(-1);
        const place = isPair(parent) ? (parent.key as Scalar) : scalar;
        if (scalar.value === undefined)
          this.#addFaultAt(place.range?.[0] ?? 0, `${JSON.stringify(value)} is not a valid expression`);
      },
      Alias: (_, alias) => {
        if (alias.resolve(document) === undefined)
          this.#addFaultAt(alias.range?.[0] ?? 0, `no earlier value has the anchor &${alias.source}`);
      },
    });
    this.throwFaults();
    try {
      this.value = document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      this.addFault([], uncapitalized((error as Error).message));
    }
    this.throwFaults();
  }

  /** Returns the 1-based line of the key or item at a path, or of its nearest existing ancestor. */
  line(path: Path): number {
    return this.#lines.linePos(this.#offsetOf(path)).line;
  }

  /** Adds a fault with the place of the key or item at a path, or of its nearest existing ancestor. */
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
    const { line, col } = this.#lines.linePos(offset);
    this.#faults.set(`${this.file}:${line}:${col}: ${oneLine}`, offset);
  }

  #offsetOf(path: Path): number {
    const { isMap, isNode, isSeq } = yaml();
    let [node, offset] = [this.#root, 0];
    if (isMap(node) || isSeq(node)) offset = node.range?.[0] ?? 0;
    for (const segment of path) {
      const pair = this.#pairs.get(node)?.get(String(segment));
      const item = isSeq(node) ? node.items[Number(segment)] : undefined;
      const place = pair?.key ?? item;
      if (!isNode(place)) break;
      offset = place.range?.[0] ?? offset;
      node = pair === undefined ? item : pair.value;
    }
    return offset;
  }
}

const MULTIPLE_DOCUMENTS = "the file contains more than one YAML document; keep one";

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
