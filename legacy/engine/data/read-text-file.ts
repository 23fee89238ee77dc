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
  const tooLarge = () =>
    new DataError(file, `is larger than the ${most / MIB} MiB that such a file may have`);
  const chunks: Buffer[] = [];
  let length = 0;
  readRegularFile(path, file, (chunk, size) => {
    length += chunk.length;
    // A file of /proc states no size, and one can grow.
    if (Math.max(length, size) > most) throw tooLarge();
    chunks.push(Buffer.from(chunk));
  });
  return Buffer.concat(chunks, length).toString("utf8");
}

/**
 * Reads a regular file, whatever its size, piece by piece.
 * @param file the path as people are to see it
 * @param take told each piece, which it must not keep, and the size that the file states
 * @throws {DataError} one line, where it cannot be read, or is a device, a pipe or a folder
 */
export function readRegularFile(
  path: string,
  file: string,
  take: (piece: Buffer, size: number) => void,
): void {
  try {
    // A pipe that nobody writes to would keep whoever opens it waiting.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw new DataError(file, `is ${kindOf(stats)}, not a regular file`);
      const piece = Buffer.allocUnsafe(CHUNK);
      for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
        take(piece.subarray(0, read), stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
