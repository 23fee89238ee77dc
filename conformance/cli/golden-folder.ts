import { readdirSync } from "node:fs";
import { DataError } from "../engine/data/data-error.ts";
import { displayPath } from "../engine/data/yaml-source.ts";

/** Names in a folder; none where there is no such folder. @throws {DataError} where it cannot be read */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new DataError(displayPath(folder), `cannot be read (${code})`);
  }
}
