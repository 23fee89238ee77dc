import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { isPlainJavaScript } from "./plain-javascript.ts";

/** A folder of files, and an installed package. */
function plainOf(context: TestContext, files: Readonly<Record<string, string>>): boolean {
  const folder = temporaryDirectory(context);
  const all = { "node_modules/installed/index.js": "import './any.ts';", ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return isPlainJavaScript(join(folder, Object.keys(files)[0] ?? ""));
}

for (const [what, text] of [
  ["that imports nothing", "export const createService = () => ({ handle: (call) => Array.from(call) });"],
  ["of Node's own modules", "import { createHash } from \"node:crypto\";\nimport fs from 'fs';"],
  ["of packages", 'export * from "installed";\nimport "installed/deep.js";'],
  [
    "of other files",
    'import { a } from "./b.mjs"; const c = await import("./b.mjs"); require("../b/b.cjs");',
  ],
] as const) {
  test(`a module ${what} needs no loader`, (context) => {
    const others = { "src/b.mjs": "export const a = 1;", "b/b.cjs": "module.exports = require('fs');" };
    assert.equal(plainOf(context, { "src/a.mjs": text, ...others }), true);
  });
}

for (const [what, text] of [
  ["imports TypeScript", 'import { a } from "./b.ts";'],
  ["imports TypeScript by the name that it will have", 'import { a } from "./b.js";'],
  ["imports what imports TypeScript", 'import { a } from "./c.mjs";'],
  ["gives out what imports TypeScript", 'export { a } from "./c.mjs";'],
  ["imports TypeScript later", 'export const later = () => import("./b.ts");'],
  ["names TypeScript", 'export const worker = new URL("./b.ts", import.meta.url);'],
  ["imports what it finds out later", "export const later = (name) => import(name);"],
  ["imports a name that is put together", 'export const later = (name) => import("./b" + name);'],
  ["requires TypeScript", 'const { a } = require("./b.cts");'],
  ["leaves out the end of a name", 'import { a } from "./c";'],
  ["imports JSON", 'import data from "./d.json";'],
  ["imports what is not installed", 'import "missing";'],
  ["imports by a name of its own package", 'import "#own";'],
] as const) {
  test(`a module that ${what} is left to a loader`, (context) => {
    const others = { "b.ts": "", "c.mjs": 'import "./b.ts";', "d.json": "{}" };
    assert.equal(plainOf(context, { "a.mjs": text, ...others }), false);
  });
}

test("TypeScript and a file that is not there are left to a loader", (context) => {
  assert.equal(plainOf(context, { "a.ts": "" }), false);
  assert.equal(isPlainJavaScript("/nowhere/a.mjs"), false);
});
