/** A cache of compiled data files, so that a command in a checkout starts without parsing YAML. */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile } from "./data-file.ts";
import { escapeUnit } from "./text.ts";

/** Maximum size of compiled data, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A folder of compiled data. It can be deleted at any time. Several processes can use it at the same time. */
export class CompiledCache {
  readonly #folder: string;
  readonly #sources: readonly string[];
  #digest: string | undefined;

  /**
   * @param folder folder of the cache, which is created if necessary
   * @param sources files and folders that determine the compiled data: the data, and the code that compiles it
   */
  constructor(folder: string, sources: readonly string[]) {
    this.#folder = folder;
    this.#sources = sources;
  }

  /**
   * Returns the result of an earlier process if no source has changed since. If it is missing or damaged,
   * computes it again.
   * @param name name of the data, which is the name of its file in the cache
   * @param compile returns a JSON value
   * @throws as `compile` does
   */
  read(name: string, compile: () => unknown): unknown {
    this.#digest ??= digestOf(this.#sources);
    const digest = this.#digest;
    const file = join(this.#folder, name);
    const cached = digest === undefined ? undefined : readSealed(file, digest);
    if (cached !== undefined) return JSON.parse(cached);
    // Text in ASCII is read faster.
    const text = JSON.stringify(compile()).replace(/[^\0-\x7f]/g, escapeUnit);
    // A source that changed in the meantime may have been read before or after its change.
    if (digest !== undefined && digestOf(this.#sources) === digest) writeSealed(file, digest, text);
    return JSON.parse(text);
  }
}

/** Returns a digest of the content of all sources, or undefined if a source cannot be read. */
function digestOf(sources: readonly string[]): string | undefined {
  try {
    const hash = createHash("sha256");
    for (const path of sources.flatMap(filesIn)) {
      const content = readFileSync(path);
      hash.update(`${path}\0${content.length}\0`).update(content);
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

/** Returns the paths of all files at a path, except tests. @throws {Error} if one is not a regular file */
function filesIn(path: string): readonly string[] {
  const stats = statSync(path);
  if (!stats.isDirectory() && !stats.isFile()) throw new Error(`${path} must be a file or a folder`);
  if (stats.isFile()) return path.endsWith(".test.ts") ? [] : [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

/** Returns the first line of a file in the cache. It shows that the text is undamaged and of these sources. */
function sealOf(digest: string, text: Uint8Array): string {
  return `${createHash("sha256").update(`${digest}\n`).update(text).digest("hex")}\n`;
}

/** Returns a text from the cache, or undefined if it is missing, damaged, or of other sources. */
function readSealed(file: string, digest: string): string | undefined {
  try {
    const whole = readRegularFile(file, MAX_BYTES);
    const start = whole.indexOf("\n") + 1;
    const text = whole.subarray(start);
    return whole.toString("latin1", 0, start) === sealOf(digest, text) ? text.toString("latin1") : undefined;
  } catch {
    return undefined;
  }
}

/** Adds a text to the cache, if possible. Other processes read either the old file or the whole new one. */
function writeSealed(file: string, digest: string, text: string): void {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    mkdirSync(join(file, ".."), { recursive: true });
    try {
      writeFileSync(unfinished, sealOf(digest, Buffer.from(text)) + text);
      renameSync(unfinished, file);
    } finally {
      rmSync(unfinished, { force: true });
    }
  } catch {
    // Without the cache, the next process compiles the data again.
  }
}
