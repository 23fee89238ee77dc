import assert from "node:assert/strict";
import { describe, it } from "node:test";
import bs58 from "bs58";
import { isPublicKey } from "./public-key.ts";

describe("public key", () => {
  const bytes = (length: number, first: number) => new Uint8Array(length).fill(7).fill(first, 0, 1);
  const accepted = {
    "32 zero bytes (32 characters)": "1".repeat(32),
    "32 bytes in 43 characters": bs58.encode(bytes(32, 3)),
    "32 bytes in 44 characters": bs58.encode(bytes(32, 255)),
  };
  const refused = {
    "an empty text": "",
    "31 zero bytes (31 characters)": "1".repeat(31),
    "33 zero bytes (33 characters)": "1".repeat(33),
    "31 bytes": bs58.encode(bytes(31, 255)),
    "33 bytes": bs58.encode(bytes(33, 1)),
    "44 characters that decode to 33 bytes": "z".repeat(44),
    "45 characters": "1".repeat(45),
    "letters outside the alphabet": "0OIl".repeat(8),
    "a trailing line feed": `${bs58.encode(bytes(32, 3))}\n`,
  };
  for (const [what, text] of Object.entries(accepted))
    it(`accepts ${what}`, () => assert.equal(isPublicKey(text), true));
  for (const [what, text] of Object.entries(refused))
    it(`refuses ${what}`, () => assert.equal(isPublicKey(text), false));

  it("agrees with the decoder at the limits of each length in bytes, with and without leading zeros", () => {
    const ends = (length: number) => [0x00, 0x01, 0xff].map((byte) => new Uint8Array(length).fill(byte));
    for (let length = 24; length <= 33; length++)
      for (const end of ends(length))
        for (const zeros of [0, 1, 2, 8]) {
          const text = bs58.encode(Uint8Array.from([...new Uint8Array(zeros), ...end]));
          const right = text.length >= 32 && text.length <= 44 && zeros + length === 32;
          assert.equal(isPublicKey(text), right, text);
        }
  });

  it("has examples of 43 and of 44 characters", () => {
    assert.deepEqual(
      Object.values(accepted).map((text) => text.length),
      [32, 43, 44],
    );
  });
});
