import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { moduleFile } from "../testing/adapters/module-file.ts";
import { loadModule } from "./load-module.ts";

for (const [name, source] of [
  ["typescript.ts", "enum E { a } export const createService = (x: E) => x;"],
  ["javascript.mjs", "export function createService() {}"],
  ["commonjs.cjs", "module.exports = Object.assign({}, { createService() {} });"],
] as const) {
  test(`${name} is loaded`, async (context) => {
    const module = await loadModule(moduleFile(context, name, source));
    assert.equal(typeof module.createService, "function");
  });
}

test("a JavaScript file is loaded itself, not the TypeScript file beside it", async (context) => {
  const file = moduleFile(context, "service.mjs", "export function createService() {}");
  writeFileSync(file.replace(".mjs", ".mts"), "throw new Error('another file');");
  assert.equal(typeof (await loadModule(file)).createService, "function");
});

async function refused(context: TestContext, name: string, source: string, message: string) {
  const file = moduleFile(context, name, source);
  await assert.rejects(loadModule(file), {
    name: "AdapterFault",
    fatal: true,
    message: message.replaceAll("FILE", file),
  });
}

test("a module without createService is refused with what it does export", async (context) => {
  await refused(
    context,
    "a.mjs",
    "export const b = 1, a = 2;",
    "FILE exports no createService; it exports: a, b",
  );
  await refused(context, "b.mjs", "", "FILE exports no createService; it exports: nothing");
});

test("a createService that is no function is refused", (context) =>
  refused(
    context,
    "a.mjs",
    "export const createService = {};",
    "FILE exports a createService that is no function; it exports: createService",
  ));

test("a syntax error is one line with its place", (context) =>
  refused(
    context,
    "a.ts",
    "export const a =\n = 2;",
    'FILE cannot be loaded: FILE:2:1: ERROR: Unexpected "="',
  ));

test("an import that does not exist is one line", (context) =>
  refused(context, "a.ts", 'import "./b.ts";', "FILE cannot be loaded: Cannot find module './b.ts'"));

test("a module that throws is one line", (context) =>
  refused(context, "a.mjs", 'throw new Error("no\\nnetwork");', "FILE cannot be loaded: no"));

test("a path that is no file is refused", async () => {
  await assert.rejects(loadModule("nowhere.ts"), { message: "nowhere.ts: no such file" });
  await assert.rejects(loadModule("."), { message: ".: no such file" });
});
