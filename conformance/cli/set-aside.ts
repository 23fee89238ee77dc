import { renameSync, statSync } from "node:fs";
import { format, parse } from "node:path";

/** More files than these nobody keeps beside each other. */
const MOST = 1_000;

/**
 * Gives a file that holds something another name, the next free one with a number, so that nothing of it is lost.
 * @returns its new name; undefined where there is nothing to lose
 * @throws the file system's error, where it cannot be given another name
 */
export function setAside(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return undefined;
  const { dir, name, ext } = parse(file);
  for (let number = 1; number <= MOST; number++) {
    const aside = format({ dir, name: `${name}.${number}`, ext });
    if (statSync(aside, { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(file, aside);
    return aside;
  }
  throw Object.assign(new Error("there are too many like it"), { code: "EEXIST" });
}
