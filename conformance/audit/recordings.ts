import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { Recorded, RecordedExchange, Recording, RecordingHeader } from "../engine/audit/recorded.ts";
import { DataError } from "../engine/data/data-error.ts";
import { readHar } from "./har.ts";
import { readJsonLines } from "./json-lines.ts";
import type { ServiceAddress } from "./service-entries.ts";

/** First characters of files that are not UTF-8 text. */
const PACKED: readonly (readonly [begins: RegExp, fault: string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what such files begin with
  [/^\u001F\uFFFD/, "is compressed by gzip; unpack it first"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  [/^PK\u0003\u0004/, "is a zip archive; unpack it, and give the .har that is in it"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  [/^(?:\uFFFD\uFFFD|.\u0000|\u0000.)/, "is UTF-16; write it as UTF-8"],
];

/** Recordings of one service, merged. */
export interface OpenedRecordings {
  /** Merged headers: complete where all are; of differing facts the last. */
  readonly header: RecordingHeader;
  /** In the order in which requests began; exchanges in two files count once. @throws {DataError} for an invalid file */
  readonly items: Iterable<Recorded>;
  /** Number of duplicate exchanges that were left out so far. */
  leftOut(): number;
}

/**
 * Opens recordings of one service, which are read lazily.
 * @param doubtMs how far the clocks of the recorders may be apart
 * @throws {DataError} where a file cannot be read, or is not a recording
 */
export function openRecordings(
  files: readonly string[],
  address: ServiceAddress,
  doubtMs: number,
): OpenedRecordings {
  const recordings = files.map((file) => openRecording(file, address));
  const headers = recordings.map(({ header }) => header);
  const doubles = new Doubles(doubtMs);
  const inTime = inOrder(recordings);
  return {
    header: {
      complete: headers.every(({ complete }) => complete),
      facts: Object.assign({}, ...headers.map(({ facts }) => facts)),
    },
    items: recordings.length > 1 ? doubles.without(inTime) : inTime,
    leftOut: () => doubles.leftOut,
  };
}

/**
 * Opens a recording in HAR 1.2 or JSON lines, which is read lazily.
 * @throws {DataError} where the file cannot be read, or is neither
 */
export function openRecording(file: string, address: ServiceAddress): Recording {
  const parts = partsOf(file, address);
  const first = parts.next();
  const header = first.done || "kind" in first.value ? { complete: false, facts: {} } : first.value;
  return { file, header, items: itemsFrom(first, parts) };
}

function* itemsFrom(
  first: IteratorResult<RecordingHeader | Recorded, void>,
  parts: Generator<RecordingHeader | Recorded, void, undefined>,
): Generator<Recorded, void, undefined> {
  for (let next = first; !next.done; next = parts.next()) if ("kind" in next.value) yield next.value;
}

function* partsOf(
  file: string,
  address: ServiceAddress,
): Generator<RecordingHeader | Recorded, void, undefined> {
  const pieces = readPieces(file);
  const first = pieces.next();
  const start = first.done ? "" : first.value;
  const [, packed] = PACKED.find(([begins]) => begins.test(start)) ?? [];
  if (packed !== undefined) throw new DataError(file, packed);
  const all = (function* () {
    yield start;
    yield* pieces;
  })();
  if (isLine(start)) yield* readJsonLines(file, all);
  else yield* readHar(file, all, address);
}

/** Whether a text begins with a line that is a JSON value by itself: a HAR is one value, usually in many lines. */
function isLine(start: string): boolean {
  if (start.trim() === "") return true;
  const [line = ""] = start.split("\n", 1);
  const isWhole = line.length < start.length || start.length === 0;
  if (/^\uFEFF?\s*\{\s*"log"/.test(start)) return false;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !("log" in value);
  } catch {
    // An invalid first line of several is reported as such; a text without a line end is not a recording in lines.
    return isWhole && line.trim() !== "{" && line.trim() !== "";
  }
}

const PIECE_BYTES = 256 * 1024;

/**
 * Reads a file of any size, or a pipe, as UTF-8 in pieces.
 * @throws {DataError} where it cannot be read
 */
function* readPieces(file: string): Generator<string, void, undefined> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY);
    if (fstatSync(descriptor).isDirectory()) throw new DataError(file, "is a folder, not a recording");
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const decoder = new StringDecoder("utf8");
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
      yield decoder.write(piece.subarray(0, read));
    yield decoder.end();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof DataError) throw error;
    throw new DataError(file, `cannot be read (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Number of items of a file that are held to be sorted. */
const MOST_HELD = 4_096;

/** A file that is being read: its next items, sorted by begin. */
interface Reading {
  readonly iterator: Iterator<Recorded>;
  readonly held: Recorded[];
  /** Latest reading of the service's clock so far. */
  latestClockMs: number;
  ended: boolean;
}

/**
 * Merges recordings of one service in the order in which requests began, whatever the order of the files. Of each
 * file only as much is held as sorting takes, since exchanges are written as they end.
 */
export function* inOrder(recordings: readonly Recording[]): Generator<Recorded, void, undefined> {
  const readings = recordings.map(({ items }): Reading => {
    const reading = {
      iterator: items[Symbol.iterator](),
      held: [],
      latestClockMs: Number.NEGATIVE_INFINITY,
      ended: false,
    };
    fill(reading);
    return reading;
  });
  for (let next = earliest(readings); next !== undefined; next = earliest(readings)) {
    const item = next.held.shift();
    if (item === undefined) return;
    yield item;
    if (next.held.length < MOST_HELD / 2) fill(next);
  }
}

function fill(reading: Reading): void {
  const { iterator, held } = reading;
  while (!reading.ended && held.length < MOST_HELD) {
    const { done, value } = iterator.next();
    if (done) reading.ended = true;
    else if (startsAnew(value, reading)) held.push(value);
    else insert(held, value);
    if (!done)
      reading.latestClockMs = Math.max(reading.latestClockMs, value.clockMs ?? Number.NEGATIVE_INFINITY);
  }
}

/** Whether a restart is of another service, whose clock is behind: it stays after the items before it. */
function startsAnew({ kind, clockMs }: Recorded, { latestClockMs }: Reading): boolean {
  return kind === "restart" && clockMs !== undefined && clockMs <= latestClockMs;
}

/** Inserts an item after all that began no later; most come in order. */
function insert(held: Recorded[], item: Recorded): void {
  let place = held.length;
  while (place > 0 && (held[place - 1]?.startedMs ?? 0) > item.startedMs) place -= 1;
  if (place === held.length) held.push(item);
  else held.splice(place, 0, item);
}

function earliest(readings: readonly Reading[]): Reading | undefined {
  let best: Reading | undefined;
  for (const reading of readings) {
    const [first] = reading.held;
    if (first !== undefined && first.startedMs < (best?.held[0]?.startedMs ?? Number.POSITIVE_INFINITY))
      best = reading;
  }
  return best;
}

/** Number of exchanges between evictions of entries that can no longer have a duplicate. */
const SWEEP = 1_000;

/**
 * Leaves out duplicates: exchanges that another recording has as well, exported twice or recorded in two places.
 * Two exchanges of two recordings are one where request and response are equal, and they overlap. Requests without a
 * body may be sent by many clients at once, and their number does not matter.
 */
export class Doubles {
  readonly #doubtMs: number;
  readonly #seen = new Map<string, { readonly file: string; readonly endedMs: number }>();
  #leftOut = 0;
  #taken = 0;

  /** @param doubtMs how far the clocks of the recorders may be apart */
  constructor(doubtMs: number) {
    this.#doubtMs = doubtMs;
  }

  /** Number of exchanges that were left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Items without duplicates, in the order in which they began. */
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

/** Digest of an exchange; equal for equal ones. */
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
