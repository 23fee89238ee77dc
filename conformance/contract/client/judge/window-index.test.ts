import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { WindowIndex } from "./window-index.ts";

const LENGTH = 8;
/** Few digits, so that parts recur, and lack variety, by chance. */
const digits = fc.uint8Array({ max: 6, maxLength: 40 });

/** What the index is to find, by comparing every part with every part. */
function holdsPart(known: readonly Uint8Array[], text: Uint8Array): boolean {
  const parts = (all: Uint8Array) =>
    Array.from({ length: Math.max(0, all.length - LENGTH + 1) }, (_, at) => all.subarray(at, at + LENGTH));
  const sought = known.flatMap(parts).filter((part) => new Set(part).size >= 5);
  const written = new Set(parts(text).map(String));
  return sought.some((part) => written.has(String(part)));
}

test("any part that is long and various enough is found, and nothing else", () => {
  const cut = fc.record({ from: fc.nat(39), to: fc.nat(40) });
  const holds = fc.property(
    fc.array(digits, { maxLength: 4 }),
    digits,
    digits,
    cut,
    (known, before, after, { from, to }) => {
      const index = new WindowIndex(
        LENGTH,
        known.map((one) => ({ digits: one, name: "known" })),
      );
      const text = Uint8Array.from([...before, ...(known[0]?.slice(from, to) ?? []), ...after]);
      assert.equal(index.find(text) !== undefined, holdsPart(known, text));
    },
  );
  fc.assert(holds, { seed: 17, numRuns: 3000 });
});

test("of equal parts the first that was told is named, and only the stretch is looked at", () => {
  const digits = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const index = new WindowIndex(LENGTH, [
    { digits, name: "first" },
    { digits, name: "second" },
  ]);
  const capitals = Buffer.from("xxABCDEFGHIxx");
  const digitOf = Uint8Array.from({ length: 256 }, (_, byte) => Math.max(0, byte - 64));
  assert.equal(index.find(digits), "first");
  assert.equal(index.find(capitals, { digitOf, from: 2, to: 11 }), "first");
  assert.equal(index.find(capitals, { digitOf, from: 4, to: 11 }), undefined);
  assert.equal(index.find(capitals, { digitOf, from: 2, to: 9 }), undefined);
});
