import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineSplitter } from "./line-splitter.ts";

function split(chunks: readonly Buffer[], limit = 100) {
  const lines: string[] = [];
  let tooLong = 0;
  const push = lineSplitter(
    limit,
    (line) => lines.push(line.toString()),
    () => {
      tooLong += 1;
    },
  );
  for (const chunk of chunks) push(chunk);
  return { lines, tooLong };
}

test("lines end in LF or CRLF, and empty ones are left out", () => {
  assert.deepEqual(split([Buffer.from("a\r\n\n\r\nb\nc")]).lines, ["a", "b"]);
});

test("however a stream is cut into chunks, its lines are the same", () => {
  const text = fc.array(fc.string({ unit: "binary", maxLength: 6 }).filter((line) => !/[\r\n]/.test(line)));
  fc.assert(
    fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const chunks = [];
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      const whole = bytes
        .toString()
        .split("\n")
        .filter((line) => line !== "");
      assert.deepEqual(split(chunks).lines, whole);
    }),
    { seed: 20261010 },
  );
});

test("a line at the limit passes, one byte more does not", () => {
  assert.deepEqual(split([Buffer.from("abc"), Buffer.from("de\n")], 5), { lines: ["abcde"], tooLong: 0 });
  assert.deepEqual(split([Buffer.from("abc"), Buffer.from("def")], 5), { lines: [], tooLong: 1 });
  assert.deepEqual(split([Buffer.from("a\nabcdef\nb\n")], 5), { lines: ["a"], tooLong: 1 });
});
