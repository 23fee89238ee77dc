import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { Point } from "@noble/ed25519";
import { base58Bytes } from "../judge/response-schemas.ts";
import { challengeScalar, GROUP_ORDER, isRSigned, littleEndian, scalarSigned } from "../keys/key-pair.ts";
import { looselyDecoded } from "../keys/odd-key.ts";
import { addressKind } from "./address.ts";
import type { ModelContext, ProofWeight } from "./state.ts";

/** DER of an Ed25519 public key up to its 32 bytes (RFC 8410, section 4). */
const KEY_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const MOST_KEYS = 500;
/** From here on an S has one of its three top bits set. */
const TOP_BITS = 2n ** 253n;

/** Weighs proofs by RFC 8032; where honest libraries differ, it gives the open point that they differ on. */
export function proofWeigher(): ModelContext["proofHolds"] {
  const keys = new Map<string, KeyObject>();
  return (creator, bytes, signature) => {
    const s = littleEndian(signature.subarray(32));
    if (addressKind(creator) === "prime-order") {
      const known = scalarSigned(creator, bytes, signature);
      if (known !== undefined) return (s - known) % GROUP_ORDER === 0n ? byScalar(s) : failed(s);
      if (isRSigned(signature)) return failed(s);
      if (s < GROUP_ORDER && verify(null, bytes, keyOf(creator, keys), signature)) {
        const small = looselyDecoded(signature.subarray(0, 32))?.isSmallOrder();
        return small ? { point: "SMALL-ORDER-R" } : "yes";
      }
    }
    return weighed(base58Bytes(creator), bytes, signature, s);
  };
}

function keyOf(creator: string, keys: Map<string, KeyObject>): KeyObject {
  let key = keys.get(creator);
  if (key === undefined) {
    if (keys.size >= MOST_KEYS) keys.clear();
    const der = Buffer.concat([KEY_PREFIX, base58Bytes(creator) ?? Buffer.alloc(0)]);
    key = createPublicKey({ key: der, format: "der", type: "spki" });
    keys.set(creator, key);
  }
  return key;
}

/** What an S means for a signature that does not hold by the equation. */
function failed(s: bigint): ProofWeight {
  return s < GROUP_ORDER ? "no" : "no-signature";
}

/** What an S means for a signature that holds by the equation. */
function byScalar(s: bigint): ProofWeight {
  if (s < GROUP_ORDER) return "yes";
  return { point: s < TOP_BITS ? "UNREDUCED-SCALAR" : "UNREDUCED-SCALAR-TOP-BITS" };
}

/**
 * Weighs a signature by the loosest reading of all: with the cofactor, S not reduced, points in any form, and k over the
 * points as they were sent or in canonical form. What holds by none of it is refused by every library.
 */
function weighed(
  key: Uint8Array | undefined,
  message: Uint8Array,
  signature: Uint8Array,
  s: bigint,
): ProofWeight {
  const r = signature.slice(0, 32);
  const [a, rPoint] = [key === undefined ? undefined : looselyDecoded(key), looselyDecoded(r)];
  if (key === undefined || a === undefined) return "no-key";
  if (rPoint === undefined) return "no-signature";
  const [canonicalKey, canonicalR] = [a.toBytes(), rPoint.toBytes()];
  // What is left of SB - R - kA, which is of small order where the signature holds with the cofactor.
  const rest = (hashedR: Uint8Array, hashedKey: Uint8Array) =>
    times(Point.BASE, s % GROUP_ORDER)
      .add(rPoint.negate())
      .add(times(a, challengeScalar({ r: hashedR, key: hashedKey }, message)).negate());
  const asSent = rest(r, key);
  const [oddKey, oddR] = [!same(canonicalKey, key), !same(canonicalR, r)];
  if (!asSent.isSmallOrder()) {
    if (oddR && rest(canonicalR, key).isSmallOrder()) return { point: "REENCODED-R" };
    const reencoded = oddKey && [r, canonicalR].some((hashed) => rest(hashed, canonicalKey).isSmallOrder());
    return reencoded ? { point: "REENCODED-KEY" } : failed(s);
  }
  if (s >= GROUP_ORDER) return byScalar(s);
  if (oddKey && !asSent.is0() && rest(r, canonicalKey).is0()) return { point: "REENCODED-KEY" };
  if (oddKey) return { point: "NON-CANONICAL-KEY" };
  if (a.isSmallOrder()) return { point: "SMALL-ORDER-KEY" };
  if (oddR) return { point: "NON-CANONICAL-POINT" };
  if (rPoint.isSmallOrder()) return { point: "SMALL-ORDER-R" };
  if (!asSent.is0()) return { point: "MIXED-ORDER-KEY" };
  return a.isTorsionFree() ? "yes" : { point: "MIXED-ORDER-CANCELS" };
}

/** A multiple of a point; noble has none for zero. */
function times(point: Point, scalar: bigint): Point {
  return scalar === 0n ? Point.ZERO : point.multiply(scalar, false);
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}
