import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { findConfig, readConfig, statedOptions } from "./config.ts";

test("what is wrong about a configuration is one line with its file, the place and the nearest name", async (context) => {
  const folder = temporaryDirectory(context);
  const target = (text: string) => `{"targets":{"a":${text}}}`;
  for (const [text, message] of [
    ["{", /^FILE:\d+:\d+: unexpected end of the stream/],
    ["[]", "FILE:1:1: the file must be an object, not an empty list"],
    ['{"target":1}', 'FILE:1:2: unknown key "target" (did you mean "targets"?)'],
    ['{"targets":{}}', "FILE:1:2: targets must be an object that is not empty, not an empty object"],
    ['{"targets":{"a b":{"module":"x"}}}', /^FILE:1:2: the name "a b" must be of the form /],
    [target("{}"), "FILE:1:13: give one of module, command, url"],
    [target('{"module":"x","url":"y"}'), "FILE:1:13: give one of module, url, not several"],
    [target('{"modul":"x"}'), 'FILE:1:18: unknown key "modul" (did you mean "module"?)'],
    [target('{"module":""}'), 'FILE:1:18: module must be a path or a file: URL, got ""'],
    [
      target('{"module":"x","controlUrl":"y"}'),
      'FILE:1:13: targets.a lacks "url", which goes with "controlUrl"',
    ],
    [target('{"module":"x","jobs":0}'), "FILE:1:31: jobs must be a positive integer, got 0"],
    [
      target('{"module":"x","timeout":"soon"}'),
      'FILE:1:31: timeout must be a duration such as 500ms, 90s or 1h, got "soon"',
    ],
    [
      target('{"module":"x","seed":1.5}'),
      "FILE:1:31: seed must be a non-negative integer or `random`, got 1.5",
    ],
  ] as const) {
    const file = join(folder, "launch-draft.config.json");
    writeFileSync(file, text);
    await assert.rejects(readConfig(file), {
      name: "DataError",
      message: typeof message === "string" ? message.replace("FILE", file) : namedAfter(message, file),
    });
  }
});

/** A pattern in which FILE stands for a path. */
function namedAfter({ source }: RegExp, file: string): RegExp {
  return new RegExp(source.replace("FILE", file.replaceAll(/[.\\]/g, "\\$&")));
}

test("of a module the place is the path of the value, and a module that cannot be loaded says why", async (context) => {
  const folder = temporaryDirectory(context);
  for (const [name, text, message] of [
    [
      "a.mjs",
      'export default { targets: { a: { modul: "x" } } };',
      ': targets.a.modul: unknown key "modul" ',
    ],
    ["b.mjs", "export const a = 1;", ": exports nothing by default: export default defineConfig("],
    ["c.mjs", 'throw new Error("broken\\u001b[31m");', ": cannot be loaded: broken"],
    ["d.ts", "export default { targets: {} satisfies object };", ": targets: targets must be an object "],
    ["e.mjs", "export default { targets: { a: {} } };", ": targets.a: give one of module, "],
  ] as const) {
    const file = join(folder, name);
    writeFileSync(file, text);
    await assert.rejects(readConfig(file), (error: Error) => {
      assert.equal(error.name, "DataError");
      assert.ok(error.message.startsWith(file + message), error.message);
      assert.ok(!error.message.includes("\u001b") && !error.message.includes("\n"));
      return true;
    });
  }
});

test("a folder has one configuration file, of five names", async (context) => {
  const folder = temporaryDirectory(context);
  assert.equal(findConfig(folder), undefined);
  const file = join(folder, "launch-draft.config.mts");
  writeFileSync(
    file,
    "const targets: object = { a: { module: './a.ts', timeout: '2s' } };\nexport default { targets };\n",
  );
  assert.equal(findConfig(folder), file);
  assert.deepEqual((await readConfig(file)).targets, { a: { module: "./a.ts", timeout: "2s" } });
  const other = join(folder, "launch-draft.config.json");
  writeFileSync(other, "{}");
  assert.throws(() => findConfig(folder), { message: `${file}: ${other} also exists; keep only one` });
});

test("paths count from the folder of the file", () => {
  const target = {
    module: "./service.ts",
    baseline: "known.yaml",
    choices: "/etc/choices.yaml",
    saveFailures: "found",
    reporters: ["console", "html=out/report.html", "json=-", "./mine.ts=mine.txt", "a-package", "../b.ts"],
    restartOn: ["src/**/*.ts"],
  } as const;
  assert.deepEqual(statedOptions(target, "/work/a/launch-draft.config.ts", "/work"), {
    module: "a/service.ts",
    baseline: "a/known.yaml",
    choices: "/etc/choices.yaml",
    saveFailures: "a/found",
    reporter: [
      "console",
      "html=a/out/report.html",
      "json=-",
      "./a/mine.ts=a/mine.txt",
      "a-package",
      "./b.ts",
    ],
    restartOn: ["a/src/**/*.ts"],
  });
  const { reporters, restartOn, ...rest } = target;
  const here = { ...rest, reporter: reporters, restartOn };
  assert.deepEqual(statedOptions(target, "/work/launch-draft.config.ts", "/work"), here);
});

test("a command runs in the folder of the file", () => {
  const target = { command: "python3 adapter.py" };
  assert.deepEqual(statedOptions(target, "/work/a/b.json", "/work/c"), { ...target, commandFolder: "../a" });
  assert.deepEqual(statedOptions(target, "/work/b.json", "/work"), target);
});

test("values are those of the options", () => {
  const facts = { metadataHosts: ["a.example", "b.example"] } as const;
  const url = "http://127.0.0.1:8080";
  const target = { url, facts, runs: 0, timeout: "2s", maxWait: 500, seed: "random" } as const;
  assert.deepEqual(statedOptions(target, "/work/a/b.json", "/work"), {
    url,
    facts,
    runs: 0,
    runsGiven: true,
    timeoutMs: 2_000,
    maxWaitMs: 500,
    seed: "random",
  });
  assert.equal(statedOptions({ url, facts: "facts.yaml" }, "/work/a/b.json", "/work").facts, "a/facts.yaml");
});
