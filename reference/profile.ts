import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import bs58 from "bs58";

/**
 * The fixed values of this platform. All are made from labels, so that they stand for nobody: the public keys are
 * points that a hash fell on, and their private halves are known to no one.
 */
export const PLATFORM = publicKeyFor("platform");
export const FEE_WALLET = publicKeyFor("fee wallet");
export const WITHDRAW_AUTHORITY = publicKeyFor("withdraw authority");

/** The operator's key, which no token may have as its mint (contract, "Launch request"). */
export const OPERATOR_KEY = publicKeyFor("operator");

/** Address of the program that a draft calls. It is off the curve and deployed on no cluster, so no draft can run. */
export const PROGRAM_ADDRESS = bs58.encode(digest("launch-draft program"));

/** The hash that a challenge request has to name. It stands for no agreement. */
export const TERMS_HASH = digest("terms").toString("hex");

/** The two metadata gateways; `.example` is reserved and never resolves (RFC 2606, section 2). */
export const METADATA_HOSTS = ["gateway-a.example", "gateway-b.example"] as const;

/** The audience that a challenge message names (contract, "Challenge"). */
export const AUDIENCE = "offline-demo";

function digest(label: string): Buffer {
  return createHash("sha256").update(`launch-draft-reference demo value: ${label}`).digest();
}

/** Base58 of the first digest of the label, numbered from 0, that encodes a curve point (try and increment). */
function publicKeyFor(label: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const bytes = digest(`${label}, attempt ${attempt}`);
    if (isCurvePoint(bytes)) return bs58.encode(bytes);
  }
}

function isCurvePoint(bytes: Uint8Array): boolean {
  try {
    return !Point.fromBytes(bytes).isSmallOrder();
  } catch {
    return false;
  }
}
