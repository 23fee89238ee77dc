import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { DataError } from "../engine/data/data-error.ts";

const PIECE_BYTES = 256 * 1024;

/**
 * Reads a file as UTF-8, piece by piece, for as long as somebody takes them: a file of any size, or a pipe.
 * @throws {DataError} one line, where it cannot be read
 */
export function* readPieces(file: string): Generator<string, void, undefined> {
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
