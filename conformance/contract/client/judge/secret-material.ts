import { createHash } from "node:crypto";
import bs58 from "bs58";
import { bytesOf, GROUP_ORDER, littleEndian } from "../../keys/key-pair.ts";
import { remembered } from "../../remembered.ts";
import { BLOCK_ENCODINGS, encodings, inBase62 } from "./text-encodings.ts";
import { WindowIndex } from "./window-index.ts";

/** Bytes of a private key that recur are found from so many on: fewer recur by chance. */
const LEAST_BYTES = 8;
/** As many characters stand for so many bytes, in encodings that cannot be decoded from the middle. */
const LEAST_BASE58 = 11;
const LEAST_DECIMAL = 20;
const LEAST_BASE36 = 13;
const LEAST_BASE62 = 11;

/** What must be in no request, ready to be searched for. */
export interface SecretMaterial {
  /** Of bytes, in either direction. */
  readonly bytes: WindowIndex;
  /** Of characters, by encoding, where a part of the text is no encoding of a part. */
  readonly texts: ReadonlyMap<string, WindowIndex>;
}

/** What a private key is made of, by the base64 of its seed and public key, or of its seed alone. */
export const secretMaterial: (secretKeyBase64: string) => SecretMaterial = remembered(500, (base64) => {
  const given = Buffer.from(base64, "base64");
  const seed = given.subarray(0, 32);
  const hash = createHash("sha512").update(seed).digest();
  const clamped = Buffer.from(hash);
  clamped[0] = (clamped[0] ?? 0) & 248;
  clamped[31] = ((clamped[31] ?? 0) & 63) | 64;
  const reduced = Buffer.from(bytesOf(littleEndian(clamped.subarray(0, 32)) % GROUP_ORDER));
  const secrets: readonly (readonly [name: string, bytes: Buffer])[] = [
    ["the private key", seed],
    ["the private key, expanded", clamped],
    ["the private key, expanded", hash],
    ["the secret scalar", reduced],
  ];
  const bytes = new WindowIndex(LEAST_BYTES);
  const base58 = new WindowIndex(LEAST_BASE58);
  const decimal = new WindowIndex(LEAST_DECIMAL);
  const base36 = new WindowIndex(LEAST_BASE36);
  const base62 = new WindowIndex(LEAST_BASE62);
  const blocks = BLOCK_ENCODINGS.map(({ name, least }) => [name, new WindowIndex(least)] as const);
  for (const [name, secret] of secrets) {
    for (const [direction, ordered] of [
      ["", secret],
      [", its bytes reversed", Buffer.from(secret).reverse()],
    ] as const) {
      bytes.add(ordered.toString("latin1"), `${name}${direction}`);
      for (const [index, encoding] of BLOCK_ENCODINGS.entries())
        for (const text of encodings(ordered, encoding)) blocks[index]?.[1].add(text, `${name}${direction}`);
    }
  }
  // Numbers and base58 stand for all bytes together: each whole that is usual, in either direction.
  const wholes: readonly (readonly [name: string, bytes: Buffer])[] = [
    ["the private key", seed],
    ["the private key with its public key", given],
    ["the private key, expanded", clamped],
    ["the private key, expanded", hash],
    ["the secret scalar", clamped.subarray(0, 32)],
    ["the secret scalar", hash.subarray(0, 32)],
    ["the secret scalar", reduced],
    ["half of the expanded private key", hash.subarray(32)],
  ];
  for (const [name, whole] of wholes) {
    for (const ordered of [whole, Buffer.from(whole).reverse()]) {
      base58.add(bs58.encode(ordered), name);
      const number = BigInt(`0x${ordered.toString("hex")}`);
      decimal.add(number.toString(), name);
      base36.add(number.toString(36), name);
      for (const text of inBase62(number)) base62.add(text, name);
    }
  }
  return { bytes, texts: new Map([...Object.entries({ base58, decimal, base36, base62 }), ...blocks]) };
});
