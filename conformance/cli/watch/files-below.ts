import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** More than this is no folder of sources; what lies deepest is left out. */
const MOST_FILES = 5_000;

/** What lies below a folder. */
export interface FilesBelow {
  readonly files: readonly string[];
  /** The folder itself, and all below it. */
  readonly folders: readonly string[];
}

/** The files and folders below a folder, the nearest first, but for installed packages and what a dot hides. */
export function filesBelow(folder: string): FilesBelow {
  const files: string[] = [];
  const folders = [folder];
  // The list grows while it is gone through.
  for (const one of folders) {
    for (const entry of entriesOf(one)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(one, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
    if (files.length >= MOST_FILES) break;
  }
  return { files, folders };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It went away, or is not ours to read.
    return [];
  }
}
