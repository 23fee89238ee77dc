/** What `docs/package.md` says of the package's dependencies is so. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../legacy/paths.ts";

const page = readFileSync(join(PATHS.root, "docs/package.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(PATHS.root, "package.json"), "utf8"));

/** Bytes of a package's own files. */
function sizeOf(name: string): number {
  const folder = join(PATHS.root, "node_modules", name);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const own = files.filter((file) => !file.includes("node_modules"));
  return own
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

test("each dependency of the package has a line of why, and its size", () => {
  const rows = [...page.matchAll(/^\| `([\w@/-]+)` \| (\d+) \| \S/gm)].map(([, name, kB]) => [
    name,
    Number(kB),
  ]);
  const found = Object.keys(manifest.dependencies).map((name) => [name, Math.round(sizeOf(name) / 1000)]);
  assert.deepEqual(rows, found);
});

test("each export has a line of what it gives", () => {
  for (const path of Object.keys(manifest.exports).filter((one) => one !== "./package.json")) {
    const name = `launch-draft-conformance${path.slice(1).replace("*", "…")}`;
    assert.ok(page.includes(`| \`${name}\` | `), name);
  }
});

test("the Node that the page asks for is the one that the package asks for", () => {
  const [, least] = /^It needs Node ([\d.]+) or later/m.exec(page) ?? [];
  assert.equal(manifest.engines.node, `>=${least}`);
});
