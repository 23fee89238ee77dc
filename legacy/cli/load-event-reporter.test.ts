import assert from "node:assert/strict";
import { join } from "node:path";
import { Transform } from "node:stream";
import { test } from "node:test";
import { temporaryDirectory, temporaryFile } from "../testing/temporary-file.ts";
import { loadEventReporter } from "./load-event-reporter.ts";

for (const [name, text, kind = "function"] of [
  ["mine.mjs", "export default async function* () {}"],
  ["mine.cjs", "module.exports = async function* () {};"],
  [
    "mine.ts",
    "export default async function* (source: AsyncIterable<object>) { for await (const _ of source); }",
  ],
  [
    "compiled.cjs",
    'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = function* () {};',
  ],
  ["stream.mjs", 'import { Transform } from "node:stream";\nexport default new Transform();', "stream"],
] as const) {
  test(`a reporter may be a file: ${name}`, async (context) => {
    const reporter = await loadEventReporter(temporaryFile(context, name, text));
    assert.equal(reporter instanceof Transform ? "stream" : typeof reporter, kind);
  });
}

test("a reporter may be a package, found from the kit where the working directory has none", async () => {
  assert.equal(typeof (await loadEventReporter("node-test-junit-reporter")), "function");
});

test("what is not there is no fault of its own", async (context) => {
  assert.equal(await loadEventReporter("no-such-reporter-package"), undefined);
  assert.equal(await loadEventReporter(join(temporaryDirectory(context), "none.mjs")), undefined);
});

for (const [text, message] of [
  ['throw new Error("not today");', /^--reporter \S+mine\.mjs cannot be loaded: not today$/],
  ["export default 5;", /^--reporter \S+mine\.mjs: its default export is not a reporter for node:test$/],
  [
    "export const other = 1;",
    /^--reporter \S+mine\.mjs: its default export is not a reporter for node:test$/,
  ],
  [
    'import "no-such-package";',
    /^--reporter \S+mine\.mjs cannot be loaded: Cannot find package 'no-such-package'/,
  ],
] as const) {
  test(`a reporter that is ${text} is one line`, async (context) => {
    const file = temporaryFile(context, "mine.mjs", text);
    await assert.rejects(loadEventReporter(file), { name: "UsageError", message });
  });
}
