/** Tests that imports go only down the list of layers. Biome's `noImportCycles` finds cycles. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { test } from "node:test";

const LAYERS = (
  "main.ts cli node-test.ts index.ts mutants golden audit clients report run properties play model judge " +
  "recordings suite contract adapters data"
).split(" ");
const ROOT = import.meta.dirname;
const IMPORT = /(?:\bfrom|\bimport|\brequire\()\s*\(?\s*["'`](\.[^"'`]*)["'`]/g;

/** Returns the layer of a path relative to the kit, or -1 if it is outside of all layers. */
function layerOf(path: string): number {
  return LAYERS.indexOf(path.split("/")[0] ?? "");
}

/** Returns a message for each wrong import in the text of a file. */
function faultsOf(file: string, text: string): readonly string[] {
  const targets = [...text.matchAll(IMPORT)].map((match) => normalize(join(file, "..", match[1] ?? "")));
  return targets.flatMap((target) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    if (to < 0) return `${file} imports ${target}, which is in no layer of the kit`;
    return to < from ? `${file} imports ${target}, which is in a layer above it` : [];
  });
}

test("imports go down the layers, and none leaves the kit", () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.[mc]?[jt]s$/.test(name),
  );
  assert.deepEqual(
    files.filter((file) => !file.endsWith(".test.ts") && layerOf(file) < 0),
    [],
  );
  const sources = files.filter((file) => !file.endsWith(".test.ts"));
  assert.deepEqual(
    sources.flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), "utf8"))),
    [],
  );
});

test("an upward import, and an import from outside the kit, are reported", () => {
  assert.equal(faultsOf("suite/a.ts", 'import { x } from "../play/play.ts";').length, 1);
  assert.equal(faultsOf("suite/a.ts", 'await import("../../scripts/bench.ts")').length, 1);
  assert.equal(faultsOf("play/a.ts", 'export * from "../suite/load.ts";').length, 0);
});
