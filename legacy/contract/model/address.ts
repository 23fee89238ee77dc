import { Point } from "@noble/ed25519";
import { base58Bytes } from "../judge/response-schemas.ts";
import { isOfKeyPair } from "../keys/key-pair.ts";
import { remembered } from "../remembered.ts";

/**
 * How a text stands as a public key (contract, "Launch request"): its first fault, or what the key is as a point of the
 * curve (RFC 8032, 5.1). `non-canonical` is well formed, yet a service may refuse it: no point, one of small order, or
 * not written in its usual form. `torsion` is a point outside the prime-order group, about whose signatures honest
 * libraries differ.
 */
export type AddressKind = "length" | "alphabet" | "bytes" | "non-canonical" | "torsion" | "prime-order";

/** What a text is as a public key. The public key of a key pair that was properly made need not be looked at. */
export const addressKind: (text: string) => AddressKind = remembered(2000, (text) =>
  isOfKeyPair(text) ? "prime-order" : classify(text),
);

function classify(text: string): AddressKind {
  return malformed(text) ?? pointKind(base58Bytes(text) ?? new Uint8Array());
}

function malformed(text: string): AddressKind | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return "alphabet";
  if (text.length < 32 || text.length > 44) return "length";
  return base58Bytes(text)?.length === 32 ? undefined : "bytes";
}

function pointKind(bytes: Uint8Array): AddressKind {
  try {
    const point = Point.fromBytes(bytes);
    if (point.isSmallOrder() || !Buffer.from(point.toBytes()).equals(bytes)) return "non-canonical";
    return point.isTorsionFree() ? "prime-order" : "torsion";
  } catch {
    return "non-canonical";
  }
}
