/** Stack traces of built programs, told by the lines of their sources. */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** Beside the programs of a package: the maps of all of them, compressed, by the names of the programs. */
export const PACKED_MAPS = "source-maps.json.br";

/** A place in a stack trace: `file:///…/dist/part.js:12:34`. */
const PLACE = /(file:\/\/\S+?\.js):(\d+):(\d+)/g;

/** The same trace, each place of which there is a map by its source; the others as they are. */
export function withSourcePlaces(stack) {
  const maps = new Map();
  return stack.replace(PLACE, (place, url, line, column) => {
    if (!maps.has(url)) maps.set(url, mapOf(url));
    // Of a place that no source stands for there is no entry.
    const { originalSource, originalLine, originalColumn } =
      maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1) ?? {};
    if (originalSource === undefined) return place;
    const file = relative(process.cwd(), fileURLToPath(new URL(originalSource, url)));
    return `${file}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

function mapOf(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), "utf8")));
  } catch {
    return packedMapOf(url);
  }
}

function packedMapOf(url) {
  try {
    const maps = JSON.parse(brotliDecompressSync(readFileSync(new URL(PACKED_MAPS, url))));
    return new SourceMap(maps[url.slice(url.lastIndexOf("/") + 1)]);
  } catch {
    return undefined;
  }
}
