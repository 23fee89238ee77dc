import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { watched } from "./output.ts";

/** A stream that takes so many writes before it fails. */
function failingAfter(writes: number, code = "ENOSPC") {
  const taken: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      if (chunk === "") return done();
      if (taken.length === writes) return done(Object.assign(new Error("no"), { code }));
      taken.push(chunk);
      done();
    },
  });
  return { stream, taken };
}

test("what arrived is not lost", async () => {
  const { stream, taken } = failingAfter(2);
  const { write, lost } = watched(stream);
  write("a");
  write("b");
  assert.equal(await lost(), undefined);
  assert.deepEqual(taken, ["a", "b"]);
});

test("the first error is kept, asked for once or twice, and more writes do no harm", async () => {
  const { stream, taken } = failingAfter(1, "EPIPE");
  const { write, lost } = watched(stream);
  write("a");
  write("b");
  assert.equal(await lost(), "EPIPE");
  write("c");
  assert.equal(await lost(), "EPIPE");
  assert.deepEqual(taken, ["a"]);
});
