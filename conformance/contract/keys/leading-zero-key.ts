import { type KeyPair, keyPairOf } from "./key-pair.ts";

/** Somebody whose public key begins with a zero byte, and so the address with a 1: one creator in 256 has such a key. */
export const LEADING_ZERO = "leading-zero";

/** The first key pair whose labels begin so and whose public key begins with a zero byte: found after some 256 tries. */
export function leadingZeroKeyPair(label: string): KeyPair {
  for (let tries = 0; ; tries++) {
    const pair = keyPairOf(`${label} ${tries}`);
    if (pair.address.startsWith("1")) return pair;
  }
}
