import { type KeyPair, keyPairOf } from "./key-pair.ts";

/** Somebody whose public key begins with a zero byte, and so the address with a 1: one creator in 256 has such a key. */
export const LEADING_ZERO = "leading-zero";

/** The first label of its kind whose key begins so; to look for one in every run would take 256 keys. */
const LABEL = "leading zero 142";

/** The key pair of {@link LEADING_ZERO}, the same in every vector. */
export function leadingZeroKeyPair(): KeyPair {
  return keyPairOf(LABEL);
}
