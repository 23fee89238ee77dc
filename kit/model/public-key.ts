/** Ed25519 public keys as base58 text. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { Point } from "@noble/ed25519";
import { base58Bytes } from "../contract/encodings.ts";
import { BASE58_KEY } from "../contract/refusals.ts";

/**
 * What is wrong with the text of a key. `unusual`: 32 bytes that conforming services may reject (off the
 * curve, small order, mixed order).
 */
export type KeyClass = "alphabet" | "length" | "bytes" | "unusual" | "usual";

const MAX_CACHED = 2000;
const classes = new Map<string, KeyClass>();
const keys = new Map<string, KeyObject>();

/** Classifies the text of a key (contract, "Launch request", field `creator`). */
export function classifyKey(text: string): KeyClass {
  return cached(classes, text, () => {
    if (!BASE58_KEY.test(text)) return /[^1-9A-HJ-NP-Za-km-z]/.test(text) ? "alphabet" : "length";
    const bytes = base58Bytes(text);
    if (bytes?.length !== 32) return "bytes";
    return isPrimeOrderPoint(bytes) ? "usual" : "unusual";
  });
}

/** Imports a key of the class `usual`. */
export function importKey(text: string): KeyObject {
  return cached(keys, text, () => {
    const der = Buffer.concat([SPKI_PREFIX, base58Bytes(text) ?? new Uint8Array()]);
    return createPublicKey({ key: der, format: "der", type: "spki" });
  });
}

/** Returns whether bytes encode a point of the prime-order subgroup (RFC 8032, section 5.1.3). */
export function isPrimeOrderPoint(bytes: Uint8Array): boolean {
  try {
    const point = Point.fromBytes(bytes);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}

/** DER prefix of an Ed25519 public key (RFC 8410, section 4). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** Looks a value up, or computes and keeps it. The cache is emptied when it is full. */
function cached<Value>(cache: Map<string, Value>, key: string, compute: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const value = compute();
  cache.set(key, value);
  return value;
}
