import bs58 from "bs58";
import { exactFields } from "./body.ts";
import type { Challenge } from "./challenge.ts";
import { signatureHolds } from "./ed25519.ts";
import { Refusal } from "./errors.ts";
import { bearerHash } from "./session.ts";
import type { ServiceState } from "./state.ts";

const CHALLENGE_ID = /^[a-f0-9]{48}$/;

/** Canonical base64 of 64 bytes (RFC 4648, section 3.5), so that each signature has one text. */
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;

/** The proof in a verify request. */
export interface Proof {
  readonly id: string;
  readonly signature: Uint8Array;
}

/**
 * Reads the proof in a verify request (contract, "POST /v1/auth/verify").
 * @throws {Refusal} INVALID_FIELDS, also for a malformed signature, which leaves the challenge unused (both
 *   implementation-defined)
 */
export function readProof(json: unknown): Proof {
  const fields = exactFields(json, ["id", "signatureBase64"]);
  if (fields === undefined || !CHALLENGE_ID.test(fields.id) || !SIGNATURE.test(fields.signatureBase64)) {
    throw new Refusal("INVALID_FIELDS");
  }
  return { id: fields.id, signature: new Uint8Array(Buffer.from(fields.signatureBase64, "base64")) };
}

/**
 * Takes the challenge out of the store, so that only one of several proofs in flight is checked.
 * @throws {Refusal} EXPIRED_OR_USED_CHALLENGE, also for an unknown ID (implementation-defined)
 */
export function takeChallenge(id: string, { challenges }: ServiceState, now: number): Challenge {
  const entry = challenges.take(id, now);
  if (entry === undefined) throw new Refusal("EXPIRED_OR_USED_CHALLENGE");
  return entry.value;
}

/** Checks the creator's signature of the message as UTF-8. @throws {Refusal} INVALID_PROOF */
export function checkProof({ creator, message }: Challenge, signature: Uint8Array): void {
  const holds = signatureHolds(signature, new TextEncoder().encode(message), bs58.decode(creator));
  if (!holds) throw new Refusal("INVALID_PROOF");
}

/** Opens a session of one hour. @throws {Refusal} OFFLINE_CAPACITY; the challenge stays used */
export function openSession(creator: string, { sessions, random }: ServiceState, now: number): object {
  const bearer = Buffer.from(random(32)).toString("base64url");
  const entry = sessions.add(bearerHash(bearer), { creator }, now);
  if (entry === undefined) throw new Refusal("OFFLINE_CAPACITY");
  return {
    bearer,
    expiresAt: new Date(entry.expiresAt).toISOString(),
    scope: "offline:launch-draft",
    productionApproved: false,
  };
}
