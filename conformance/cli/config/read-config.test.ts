import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../paths.ts";
import { runCli } from "../../testing/run-cli.ts";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { findConfig, readConfig } from "./read-config.ts";

test("what is wrong about a configuration is one line with its file, the place and the nearest name", async (context) => {
  const folder = temporaryDirectory(context);
  const target = (text: string) => `{"targets":{"a":${text}}}`;
  for (const [text, message] of [
    ["{", /^FILE:\d+:\d+: unexpected end of the stream/],
    ["[]", "FILE:1:1: the file must be an object, not an empty list"],
    ['{"target":1}', 'FILE:1:2: unknown key "target" (did you mean "targets"?)'],
    ['{"targets":{}}', "FILE:1:2: targets must be an object that is not empty, not an empty object"],
    ['{"targets":{"a b":{"module":"x"}}}', /^FILE:1:2: the name "a b" must be of the form /],
    [target("{}"), "FILE:1:13: give one of module, command, attach, url"],
    [target('{"module":"x","url":"y"}'), "FILE:1:13: give one of module, url, not several"],
    [target('{"modul":"x"}'), 'FILE:1:18: unknown key "modul" (did you mean "module"?)'],
    [target('{"module":""}'), 'FILE:1:18: targets.a.module must be a text that is not empty, not ""'],
    [
      target('{"module":"x","controlUrl":"y"}'),
      'FILE:1:13: targets.a lacks "url", which goes with "controlUrl"',
    ],
    [target('{"module":"x","jobs":0}'), "FILE:1:31: targets.a.jobs must be 1 or more, not 0"],
    [target('{"module":"x","timeout":"soon"}'), "FILE:1:31: a duration is wanted, such as 500ms, 90s or 1h"],
    [target('{"module":"x","seed":1.5}'), /^FILE:1:31: targets\.a\.seed must be a whole number, not 1\.5$/],
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
  assert.throws(() => findConfig(folder), { message: `${file}: ${other} is there, too: keep one of them` });
});

/** Options of `run` that a file has no use for, and the one that it calls otherwise. */
const LINE_ALONE = [
  "config",
  "failed",
  "watch",
  "updateBaseline",
  "updateChoices",
  "shard",
  "record",
  "help",
];
const CALLED: Readonly<Record<string, string>> = { reporter: "reporters" };

test("a target may have each option of run that is not of the command line alone", async () => {
  const { stdout } = await runCli(["complete", "--", "run", "--"]);
  const options = stdout
    .trim()
    .split("\n")
    .map((flag) => flag.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  const known = Object.keys(
    JSON.parse(readFileSync(PATHS.configSchema, "utf8")).$defs.target.properties as object,
  );
  assert.deepEqual(
    known.sort(),
    options
      .filter((name) => !LINE_ALONE.includes(name))
      .map((name) => CALLED[name] ?? name)
      .sort(),
  );
});
