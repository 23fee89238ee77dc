/**
 * What is prepared of data files beforehand, so that no start has to: it lies beside the built programs, and none of it lies
 * beside the sources. Each thing counts only as long as the files that it was made of are what they were. In a package,
 * which does not hold these files, it is all there is, and compressed.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { brotliDecompressSync } from "node:zlib";
import { readRegularFile } from "./read-text-file.ts";

/** Where the built programs find it. */
const FOLDER = fileURLToPath(new URL("./prepared", import.meta.url));

/** The list of what is prepared. */
export const PREPARED_LIST = "list.json";

/** Something that was prepared. */
export interface PreparedEntry {
  /** File name below the folder; one that ends in `.br` is compressed. */
  readonly file: string;
  /** SHA-256 of that file. */
  readonly digest: string;
  /** SHA-256 of each file that it was made of, by its path from the folder; absent in a package. */
  readonly of?: Readonly<Record<string, string>>;
}

/** By name. */
export type PreparedList = Readonly<Record<string, PreparedEntry>>;

/** The files that something must have been made of, or how to find them, which is asked only where it matters. */
export type Origin = readonly string[] | (() => readonly string[]);

/** Gives what is prepared, or undefined where there is none or it is no longer right. */
export class Prepared {
  readonly folder: string;
  #list: PreparedList | undefined;

  constructor(folder: string = FOLDER) {
    this.folder = folder;
  }

  /**
   * A value.
   * @param of the files that it must have been made of, all of them
   */
  value(name: string, of: Origin): unknown {
    const whole = this.#whole(name, of);
    return whole === undefined ? undefined : JSON.parse(whole.bytes.toString());
  }

  /** What a CommonJS module exports; `of` as above. */
  module(name: string, of: Origin): unknown {
    const whole = this.#whole(name, of);
    if (whole === undefined) return undefined;
    const module = { exports: {} as unknown };
    const text = whole.bytes.toString();
    const run = compileFunction(text, ["module", "exports", "require"], { filename: whole.path });
    run(module, module.exports, createRequire(import.meta.url));
    return module.exports;
  }

  /** What was prepared, where it is right and whole. */
  #whole(name: string, of: Origin) {
    try {
      this.#list ??= JSON.parse(readFileSync(resolve(this.folder, PREPARED_LIST), "utf8")) as PreparedList;
      const entry = this.#list[name] as PreparedEntry;
      if (entry.of !== undefined && !this.#isMadeOf(entry.of, of)) return undefined;
      const path = resolve(this.folder, entry.file);
      const bytes = readFileSync(path);
      if (digestOf(bytes) !== entry.digest) return undefined;
      return { path, bytes: path.endsWith(".br") ? brotliDecompressSync(bytes) : bytes };
    } catch {
      // There is none, or a part of it; or a file cannot be read, of which whoever needs it says what is wrong.
      return undefined;
    }
  }

  #isMadeOf(digests: Readonly<Record<string, string>>, of: Origin): boolean {
    const paths = typeof of === "function" ? of() : of;
    const isOf = (path: string) => digests[relative(this.folder, path)] === digestOfFile(path);
    return paths.length === Object.keys(digests).length && paths.every(isOf);
  }
}

/** What was prepared for this program. */
export const PREPARED = new Prepared();

/** SHA-256, as lowercase hex. */
export function digestOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** SHA-256 of a regular file, as lowercase hex. @throws {DataError} where it is none, or cannot be read */
export function digestOfFile(path: string): string {
  const hash = createHash("sha256");
  readRegularFile(path, path, (piece) => hash.update(piece));
  return hash.digest("hex");
}
