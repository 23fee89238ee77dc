import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { CompiledCache } from "./compiled-cache.ts";

const root = mkdtempSync(join(tmpdir(), "compiled-cache-test-"));
after(() => rmSync(root, { recursive: true }));
const folder = join(root, "node_modules", ".cache");
const data = join(root, "data");
const code = join(root, "compile.ts");

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
  mkdirSync(join(data, "inner"), { recursive: true });
  for (const name of ["one.yaml", "inner/two.yaml"]) writeFileSync(join(data, name), name);
  writeFileSync(code, "");
});

/** Returns what a new process reads, and whether it compiled. */
function readAnew(value: unknown = "compiled", compile = () => value) {
  let compiled = false;
  const cache = new CompiledCache(folder, [data, code]);
  const result = cache.read("data.json", () => {
    compiled = true;
    return compile();
  });
  return { result, compiled };
}

test("a process that finds unchanged sources does not compile them again", () => {
  const value = { list: [1, null, "\ud800", "é"], text: "a\nb" };
  assert.deepEqual(readAnew(value), { result: value, compiled: true });
  assert.deepEqual(readAnew("other"), { result: value, compiled: false });
  assert.deepEqual(readdirSync(folder), ["data.json"]);
});

test("a change of any source, a new source, and a removed source are noticed", () => {
  const changes = {
    content: () => writeFileSync(join(data, "inner/two.yaml"), "2"),
    code: () => writeFileSync(code, "// changed"),
    name: () => cpSync(join(data, "one.yaml"), join(data, "three.yaml")),
    removal: () => rmSync(join(data, "three.yaml")),
    border: () => {
      writeFileSync(join(data, "one.yaml"), "one.yaml2");
      writeFileSync(join(data, "inner/two.yaml"), "");
    },
  };
  readAnew("before");
  for (const [change, apply] of Object.entries(changes)) {
    apply();
    assert.deepEqual(readAnew(change), { result: change, compiled: true });
    assert.deepEqual(readAnew("other"), { result: change, compiled: false });
  }
});

test("a result of sources that changed while they were compiled is not kept", () => {
  const change = () => {
    writeFileSync(join(data, "one.yaml"), "changed");
    return "before or after";
  };
  assert.equal(readAnew("", change).compiled, true);
  writeFileSync(join(data, "one.yaml"), "one.yaml");
  assert.deepEqual(readAnew("after"), { result: "after", compiled: true });
});

test("a missing or damaged cache is compiled again", () => {
  readAnew();
  const file = join(folder, "data.json");
  const text = readFileSync(file, "utf8");
  const damages = {
    removed: () => rmSync(folder, { recursive: true }),
    empty: () => writeFileSync(file, ""),
    shortened: () => writeFileSync(file, text.slice(0, -1)),
    edited: () => writeFileSync(file, text.replace("compiled", "COMPILED")),
    folder: () => {
      rmSync(file);
      mkdirSync(file);
    },
  };
  for (const [damage, apply] of Object.entries(damages)) {
    apply();
    assert.deepEqual(readAnew(damage), { result: damage, compiled: true });
    rmSync(file, { recursive: true });
    assert.deepEqual(readAnew(), { result: "compiled", compiled: true });
  }
});

test("a cache that cannot be written, and a source that cannot be read, only cost time", () => {
  mkdirSync(join(folder, ".."), { recursive: true });
  writeFileSync(folder, "a file in place of the folder");
  assert.deepEqual([readAnew().compiled, readAnew().compiled], [true, true]);
  rmSync(folder);
  symlinkSync("nowhere", join(data, "link.yaml"));
  assert.deepEqual([readAnew().compiled, readAnew().compiled], [true, true]);
});

test("an error of the compiler reaches the caller, and is not kept", () => {
  const fail = () => {
    throw new Error("file:1:2: wrong");
  };
  for (const _ of [1, 2]) assert.throws(() => readAnew("", fail), { message: "file:1:2: wrong" });
  assert.deepEqual(readAnew(), { result: "compiled", compiled: true });
});
