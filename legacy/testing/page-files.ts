import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PATHS } from "../paths.ts";

/** A file that a page shows: "As `NAME`", whatever else, and the block after it. */
const FILE = /\bAs `([\w.-]+)`[^\n]*:\n\n(?:<!--[^\n]*-->\n)?```\w+\n(.*?)```/gs;

/** The files that a page of the documents has its reader write, by their names. */
export function pageFiles(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(PATHS.root, page), "utf8");
  return new Map([...text.matchAll(FILE)].map(([, name = "", code = ""]) => [name, code]));
}
