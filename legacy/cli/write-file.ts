import { mkdirSync, realpathSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

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
