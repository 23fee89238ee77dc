import assert from "node:assert/strict";
import { test } from "node:test";
import bs58 from "bs58";
import fc from "fast-check";
import { inBase, inBase32, inBase85 } from "./digits.ts";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const written = (digits: Uint8Array, alphabet = ALPHABET) =>
  [...digits].map((digit) => alphabet[digit]).join("");

test("numbers have the digits that others give them, however large they are", () => {
  const holds = fc.property(fc.bigInt({ min: 0n, max: 2n ** 520n }), fc.nat(519), (drawn, bits) => {
    for (const number of [drawn, drawn >> BigInt(bits), 2n ** BigInt(bits) - 1n]) {
      for (const base of [10, 36])
        assert.equal(written(inBase(number, base)), number === 0n ? "" : number.toString(base));
      const hex = number.toString(16);
      const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex");
      if (number > 0n) assert.equal(written(inBase(number, 58), BASE58), bs58.encode(bytes));
      assert.equal(
        [...inBase(number, 62)].reduce((value, digit) => value * 62n + BigInt(digit), 0n),
        number,
      );
    }
  });
  fc.assert(holds, { seed: 17, numRuns: 300 });
});

test("bytes have the digits of base32 and base85 from each place at which one may begin", () => {
  const bytes = Buffer.from("00ff10a5863b7e9142", "hex");
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  assert.deepEqual(
    inBase32(bytes).map((digits) => written(digits)),
    [0, 1, 2, 3, 4].map((from) =>
      (bits.slice(from).match(/.{5}/g) ?? []).map((five) => Number.parseInt(five, 2).toString(32)).join(""),
    ),
  );
  assert.deepEqual(
    inBase85(bytes).map((digits) =>
      Array.from({ length: digits.length / 5 }, (_, block) =>
        digits.subarray(block * 5, block * 5 + 5).reduce((value, digit) => value * 85 + digit, 0),
      ),
    ),
    [0, 1, 2, 3].map((from) =>
      [0, 4].filter((at) => from + at + 4 <= bytes.length).map((at) => bytes.readUInt32BE(from + at)),
    ),
  );
});
