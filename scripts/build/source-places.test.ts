/** Where stack traces of built programs point to: see `bin/source-places.mjs`. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { temporaryDirectory } from "../../legacy/testing/temporary-file.ts";

const { PACKED_MAPS, withSourcePlaces }: { PACKED_MAPS: string; withSourcePlaces(stack: string): string } =
  await import(new URL("../../bin/source-places.mjs", import.meta.url).href);

/** Of a program whose second line is the fourth of its source. */
const map = (source: string) => ({ version: 3, sources: [source], names: [], mappings: ";AAGA" });

test("a place is told by its source, whether its program has a map beside it or all maps are packed", (context) => {
  const folder = temporaryDirectory(context);
  writeFileSync(join(folder, "a.js.map"), JSON.stringify(map("a.ts")));
  const packed = JSON.stringify({ "a.js": map("other.ts"), "b.js": map("b.ts") });
  writeFileSync(join(folder, PACKED_MAPS), brotliCompressSync(packed));
  const place = (name: string) => `    at run (${pathToFileURL(join(folder, name))}:2:1)`;
  const told = (name: string) => `    at run (${relative(process.cwd(), join(folder, name))}:4:1)`;
  const stack = (...places: readonly string[]) => ["Error: no luck", ...places].join("\n");
  assert.equal(
    withSourcePlaces(stack(place("a.js"), place("b.js"), place("c.js"))),
    stack(told("a.ts"), told("b.ts"), place("c.js")),
  );
});
