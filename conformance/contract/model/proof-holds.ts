import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { hashes, Point, verify as verifyCofactored } from "@noble/ed25519";
import type { SignedBytes } from "../../adapters/adapter.ts";
import { base58Bytes } from "../judge/response-schemas.ts";
import { wasSigned } from "../keys/key-pair.ts";
import { messageBytes } from "../keys/proof.ts";
import { addressKind } from "./address.ts";
import type { ModelContext } from "./state.ts";

hashes.sha512 = (bytes) => new Uint8Array(createHash("sha512").update(bytes).digest());

/** DER of an Ed25519 public key up to its 32 bytes (RFC 8410, section 4). */
const KEY_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const MOST_KEYS = 500;

/** Weighs proofs by RFC 8032; where honest libraries differ, it says `open`. */
export function proofWeigher(signedBytes: SignedBytes): ModelContext["proofHolds"] {
  const keys = new Map<string, KeyObject>();
  return (creator, message, signature) => {
    if (addressKind(creator) !== "prime-order") return isPoint(base58Bytes(creator)) ? "open" : "no";
    if (!isReduced(signature)) return "no";
    const bytes = messageBytes(message, signedBytes);
    if (wasSigned(creator, bytes, signature)) return "yes";
    let key = keys.get(creator);
    if (key === undefined) {
      if (keys.size >= MOST_KEYS) keys.clear();
      key = createPublicKey({
        key: Buffer.concat([KEY_PREFIX, base58Bytes(creator) ?? Buffer.alloc(0)]),
        format: "der",
        type: "spki",
      });
      keys.set(creator, key);
    }
    if (verify(null, bytes, key, signature)) return "yes";
    return holdsCofactored(signature, bytes, base58Bytes(creator)) ? "open" : "no";
  };
}

/** Whether any library could take the bytes for a point, in canonical form or not; under others no signature holds. */
function isPoint(key: Uint8Array | undefined): boolean {
  if (key === undefined) return false;
  try {
    Point.fromBytes(key, true);
    return true;
  } catch {
    return false;
  }
}

/** The weaker of the two equations that RFC 8032 admits: a signature that holds by it alone is taken by some libraries. */
function holdsCofactored(signature: Uint8Array, message: Uint8Array, key: Uint8Array | undefined): boolean {
  return (
    key !== undefined &&
    signature.length === 64 &&
    verifyCofactored(signature, message, key, { zip215: true })
  );
}

/** Whether the scalar is below 2^253, as every reduced one is (RFC 8032, section 5.1): S plus the group order is not. */
export function isReduced(signature: Uint8Array): boolean {
  return (signature[63] ?? 0) < 0x20;
}
