import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { DataError } from "./data-error.ts";

/** Bytes in a mebibyte. */
export const MIB = 1024 * 1024;

const CHUNK = 64 * 1024;

/**
 * Reads a file that somebody names, as UTF-8: a regular one, of a size that can be what it is said to be.
 * @param file the path as people are to see it
 * @param most bytes that it may have
 * @throws {DataError} one line, where it cannot be read, is a device, a pipe or a folder, or is too large
 */
export function readTextFile(path: string, file: string, most: number): string {
  try {
    // A pipe that nobody writes to would keep whoever opens it waiting.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw new DataError(file, `is ${kindOf(stats)}, not a regular file`);
      return textOf(descriptor, most, file, stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/** The text to its end, or as much as shows that it is too long: a file of /proc states no size, and one can grow. */
function textOf(descriptor: number, most: number, file: string, size: number): string {
  const chunks: Buffer[] = [];
  let length = 0;
  while (Math.max(size, length) <= most) {
    const chunk = Buffer.allocUnsafe(Math.max(CHUNK, size - length + 1));
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks, length).toString("utf8");
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  throw new DataError(file, `is larger than the ${most / MIB} MiB that such a file may have`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
