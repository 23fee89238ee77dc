import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryDirectory } from "../../legacy/testing/temporary-file.ts";

interface Door {
  readonly MANIFEST: string;
  digestOfFiles(folder: URL, names: readonly string[]): string | undefined;
  builtProgram(name: string, root: URL): string | undefined;
}
const door: Door = await import(new URL("../../bin/door.cjs", import.meta.url).href);

/** A checkout with a program that was built of two sources. */
function checkout(context: TestContext) {
  const folder = temporaryDirectory(context);
  const root = pathToFileURL(`${folder}/`);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const sources = ["legacy/cli.ts", "legacy/other.ts"];
  for (const name of [...sources, "dist/cli.js", "dist/part-A.js"]) write(name, "text");
  const programs = ["cli.js", "part-A.js"];
  const manifest = {
    programs,
    digest: door.digestOfFiles(new URL("dist/", root), programs),
    sources,
    digestOfSources: door.digestOfFiles(root, sources),
  };
  write(`dist/${door.MANIFEST}`, JSON.stringify(manifest));
  const cli = () => door.builtProgram("cli.js", root);
  return { root, write, remove: (name: string) => rmSync(join(folder, name), { recursive: true }), cli };
}

test("what was built of the sources at hand is run in their place", (context) => {
  const { root, cli } = checkout(context);
  assert.equal(cli(), new URL("dist/cli.js", root).href);
  assert.equal(door.builtProgram("other.js", root), undefined);
});

test("a source that was edited, or is gone, counts more than what was built of it", (context) => {
  const { write, remove, cli } = checkout(context);
  write("legacy/other.ts", "text and more");
  assert.equal(cli(), undefined);
  write("legacy/other.ts", "text");
  assert.notEqual(cli(), undefined);
  remove("legacy/other.ts");
  assert.equal(cli(), undefined);
});

test("two sources whose texts are swapped are others, as is text that moves from one to the next", (context) => {
  const { write, cli } = checkout(context);
  write("legacy/cli.ts", "");
  write("legacy/other.ts", "texttext");
  assert.equal(cli(), undefined);
});

test("a package that holds no sources runs the programs that it ships", (context) => {
  const { root, remove, cli } = checkout(context);
  remove("legacy");
  assert.equal(cli(), new URL("dist/lib/cli.js", root).href);
});

test("what is not whole is set aside", (context) => {
  const { write, remove, cli } = checkout(context);
  write("dist/part-A.js", "te");
  assert.equal(cli(), undefined);
  remove("dist/part-A.js");
  assert.equal(cli(), undefined);
  write("dist/part-A.js", "text");
  assert.notEqual(cli(), undefined);
  for (const manifest of ["", '{"programs":["cli.js"', "null", "[]", '{"programs":["cli.js"]}']) {
    write(`dist/${door.MANIFEST}`, manifest);
    assert.equal(cli(), undefined, manifest);
  }
  remove("dist");
  assert.equal(cli(), undefined);
});
