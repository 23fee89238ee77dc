import type { Recorded, Recording, RecordingHeader } from "../engine/audit/recorded.ts";
import { DataError } from "../engine/data/data-error.ts";
import { readHar } from "./har.ts";
import { readJsonLines } from "./json-lines.ts";
import { readPieces } from "./read-pieces.ts";
import type { ServiceAddress } from "./service-entries.ts";

/** How a file begins that is no text yet, read as if it were UTF-8. */
const PACKED: readonly (readonly [begins: RegExp, fault: string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what such files begin with
  [/^\u001F\uFFFD/, "is compressed by gzip; unpack it first"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  [/^PK\u0003\u0004/, "is a zip archive; unpack it, and give the .har that is in it"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  [/^(?:\uFFFD\uFFFD|.\u0000|\u0000.)/, "is UTF-16; write it as UTF-8"],
];

/**
 * Opens a recording, in whichever form it is: HAR 1.2 or JSON lines. The rest is read as it is asked for.
 * @throws {DataError} where the file cannot be read, or does not begin as either
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

/** Whether a text begins with a line that is JSON by itself: a HAR is one value, mostly in many lines. */
function isLine(start: string): boolean {
  if (start.trim() === "") return true;
  const [line = ""] = start.split("\n", 1);
  const isWhole = line.length < start.length || start.length === 0;
  if (/^\uFEFF?\s*\{\s*"log"/.test(start)) return false;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !("log" in value);
  } catch {
    // A broken first line of several is told as such; what has no end of line yet is no recording in lines.
    return isWhole && line.trim() !== "{" && line.trim() !== "";
  }
}
