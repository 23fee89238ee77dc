import { Point } from "@noble/ed25519";
import { base58Bytes } from "../judge/response-schemas.ts";

/** How a text stands as a public key (contract, "Launch request"): its first fault, or whether the key is a usual one. */
export type AddressKind = "length" | "alphabet" | "bytes" | "odd" | "mixed" | "usual";

const known = new Map<string, AddressKind>();
const MOST_KNOWN = 2000;

/**
 * `odd` is well formed, yet a service may refuse it: no point of the curve, one of small order, or not its usual form.
 * `mixed` is a point outside the prime-order group, about whose signatures honest libraries differ (RFC 8032, 5.1.7).
 */
export function addressKind(text: string): AddressKind {
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const kind = classify(text);
  remember(text, kind);
  return kind;
}

/** Spares the search for what is known: the public key of a key pair that was properly made. */
export function knownAsUsual(address: string): void {
  if (!known.has(address)) remember(address, "usual");
}

function remember(text: string, kind: AddressKind): void {
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, kind);
}

function classify(text: string): AddressKind {
  if (!/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return "alphabet";
  if (text.length < 32 || text.length > 44) return "length";
  const bytes = base58Bytes(text);
  if (bytes?.length !== 32) return "bytes";
  return pointKind(bytes);
}

function pointKind(bytes: Uint8Array): AddressKind {
  try {
    const point = Point.fromBytes(bytes);
    if (point.isSmallOrder() || !Buffer.from(point.toBytes()).equals(bytes)) return "odd";
    return point.isTorsionFree() ? "usual" : "mixed";
  } catch {
    return "odd";
  }
}
