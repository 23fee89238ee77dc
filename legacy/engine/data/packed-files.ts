/** Data files of the kit that a package holds in one, since they are seldom looked at: found by the paths of a checkout. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { PREPARED } from "./prepared.ts";
import { MIB, readTextFile } from "./read-text-file.ts";

/** As what a package has them: each text by its path from the folder of what is prepared. */
export const PACKED_FILES = "packed-files";

/** Bytes that one of them may have. */
const MOST_BYTES = 16 * MIB;

let texts: ReadonlyMap<string, string> | undefined;

function packed(): ReadonlyMap<string, string> {
  if (texts === undefined) {
    const found = (PREPARED.value(PACKED_FILES, []) ?? {}) as Readonly<Record<string, string>>;
    texts = new Map(Object.entries(found).map(([name, text]) => [resolve(PREPARED.folder, name), text]));
  }
  return texts;
}

/** The text of a file that is packed, and not there as a file. */
export function packedText(path: string): string | undefined {
  return existsSync(path) ? undefined : packed().get(resolve(path));
}

/**
 * The text of one of the kit's own files.
 * @throws {DataError} where there is none
 */
export function kitText(path: string): string {
  return packedText(path) ?? readTextFile(path, relative(process.cwd(), path), MOST_BYTES);
}

/**
 * The names in a folder, sorted: of files and folders where it is one, else of the files that the kit has packed of it.
 * @throws {Error} of `node:fs`, where there is neither
 */
export function kitNames(folder: string): readonly string[] {
  const inside = [...packed().keys()].filter((path) => dirname(path) === resolve(folder));
  return (
    existsSync(folder) || inside.length === 0 ? readdirSync(folder) : inside.map((path) => basename(path))
  ).sort();
}
