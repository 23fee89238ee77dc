import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import bs58 from "bs58";

/**
 * The fixed values of this platform. They are hashes of labels. The public keys are hashes that happen to be
 * points of the curve, so their private keys are unknown.
 */
export const PLATFORM = publicKeyFor("platform");
export const FEE_WALLET = publicKeyFor("fee wallet");
export const WITHDRAW_AUTHORITY = publicKeyFor("withdraw authority");

/** The operator key, which mints must differ from (contract, "Launch request"). */
export const OPERATOR_KEY = publicKeyFor("operator");

/**
 * Address of the program that a draft calls. It is not on the curve. The program is not deployed, so drafts
 * cannot run.
 */
export const PROGRAM_ADDRESS = bs58.encode(digest("launch-draft program"));

/** The demo terms hash of the profile. It refers to no agreement. */
export const TERMS_HASH = digest("terms").toString("hex");

/** The two metadata gateways; `.example` is reserved and never resolves (RFC 2606, section 2). */
export const METADATA_HOSTS = ["gateway-a.example", "gateway-b.example"] as const;

/** The audience that a challenge message names (contract, "Challenge"). */
export const AUDIENCE = "offline-demo";

function digest(label: string): Buffer {
  return createHash("sha256").update(`launch-draft-reference demo value: ${label}`).digest();
}

/** Hashes the label with 0, 1, 2, and so on, and returns the first hash that is on the curve, in base58. */
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
