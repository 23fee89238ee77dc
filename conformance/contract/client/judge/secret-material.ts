import { createHash } from "node:crypto";
import { bytesOf, GROUP_ORDER, littleEndian } from "../../keys/key-pair.ts";
import { remembered } from "../../remembered.ts";
import { inBase, inBase32, inBase85 } from "./digits.ts";
import type { DigitKind } from "./text-encodings.ts";
import { type NamedDigits, WindowIndex } from "./window-index.ts";

/** Bytes of a private key that recur are found from so many on: fewer recur by chance. */
const LEAST_BYTES = 8;
/** As many digits stand for so many bytes wherever they begin, in encodings that cannot be decoded from the middle. */
export const LEAST_DIGITS: Readonly<Record<DigitKind, number>> = {
  base32: 13,
  base85: 12,
  base58: 11,
  base62: 11,
  base36: 13,
  decimal: 20,
};

/** What must be in no request, ready to be searched for. */
export interface SecretMaterial {
  /** Of bytes, in either direction. */
  readonly bytes: WindowIndex;
  /** Of digits, which each alphabet of that kind writes in its own way. */
  readonly digits: Readonly<Record<DigitKind, WindowIndex>>;
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
  const directions = secrets.flatMap(([name, secret]) => [
    { name, bytes: secret },
    { name: `${name}, its bytes reversed`, bytes: Buffer.from(secret).reverse() },
  ]);
  const written = (inDigits: (bytes: Buffer) => readonly Uint8Array[]): readonly NamedDigits[] =>
    directions.flatMap(({ name, bytes }) => inDigits(bytes).map((digits) => ({ digits, name })));
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
  const numbers = wholes.flatMap(([name, whole]) =>
    [whole, Buffer.from(whole).reverse()].map((ordered) => {
      return { name, value: BigInt(`0x${ordered.toString("hex")}`) };
    }),
  );
  const counted = (base: number): readonly NamedDigits[] =>
    numbers.map(({ name, value }) => ({ name, digits: inBase(value, base) }));
  const index = (kind: DigitKind, sequences: readonly NamedDigits[]) =>
    new WindowIndex(LEAST_DIGITS[kind], sequences);
  return {
    bytes: new WindowIndex(
      LEAST_BYTES,
      directions.map(({ name, bytes }) => ({ name, digits: bytes })),
    ),
    digits: {
      base32: index("base32", written(inBase32)),
      base85: index("base85", written(inBase85)),
      base58: index("base58", counted(58)),
      base62: index("base62", counted(62)),
      base36: index("base36", counted(36)),
      decimal: index("decimal", counted(10)),
    },
  };
});
