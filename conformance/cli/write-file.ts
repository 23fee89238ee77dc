import { mkdirSync, realpathSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { basename, dirname, format, join, parse } from "node:path";

/** A folder that takes no new file, or a file that nothing can be put in place of, such as one mounted by itself. */
const NO_REPLACING = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV"]);

/**
 * Writes a file whole or not at all: what stood there before stays until all is written. A device or a pipe is simply
 * written to.
 * @throws the file system's error
 */
export function writeWhole(file: string, text: string): void {
  const before = statSync(file, { throwIfNoEntry: false });
  try {
    if (before !== undefined && !before.isFile()) writeFileSync(file, text);
    else replace(before === undefined ? file : realpathSync(file), text, before);
  } catch (error) {
    if (!NO_REPLACING.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    writeFileSync(file, text);
  }
}

function replace(file: string, text: string, before: Stats | undefined): void {
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, text, before === undefined ? {} : { mode: before.mode });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Makes a folder and its missing parents. Node's own way never ends where an existing folder, such as /proc, can hold
 * none.
 * @throws the file system's error
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
}

/** Maximum number of files that are kept next to each other. */
const MOST_ASIDE = 1_000;

/**
 * Gives a file that holds something another name, the next free one with a number, so that nothing of it is lost.
 * @returns its new name; undefined where there is nothing to lose
 * @throws the file system's error, where it cannot be given another name
 */
export function setAside(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return undefined;
  const { dir, name, ext } = parse(file);
  for (let number = 1; number <= MOST_ASIDE; number++) {
    const aside = format({ dir, name: `${name}.${number}`, ext });
    if (statSync(aside, { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(file, aside);
    return aside;
  }
  throw Object.assign(new Error("there are too many like it"), { code: "EEXIST" });
}
