import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** The files below a folder, by their paths from it; none where there is no such folder. */
export function filesIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)));
}
