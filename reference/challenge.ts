import { exactFields } from "./body.ts";
import type { BoundedStore } from "./bounded-store.ts";
import { Refusal } from "./errors.ts";
import { AUDIENCE, TERMS_HASH } from "./profile.ts";
import { isPublicKey } from "./public-key.ts";

/** Lifetime of a challenge in ms (contract, "Limits"). */
export const CHALLENGE_LIFETIME_MS = 60_000;

/** An unused challenge: the creator who must sign, and the text to sign. */
export interface Challenge {
  readonly creator: string;
  readonly message: string;
}

/** The part of the service's state that issues challenges. */
export interface Challenges {
  readonly challenges: BoundedStore<Challenge>;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Reads the creator of a challenge request (contract, "POST /v1/auth/challenge").
 * @throws {Refusal} INVALID_DEMO_TERMS_OR_FIELDS for missing or extra fields, or a terms hash other than the
 *   profile's; INVALID_CREATOR if the creator is not a public key
 */
export function readChallengeRequest(json: unknown): string {
  const fields = exactFields(json, ["creator", "termsHash"]);
  if (fields === undefined || fields.termsHash !== TERMS_HASH)
    throw new Refusal("INVALID_DEMO_TERMS_OR_FIELDS");
  if (!isPublicKey(fields.creator)) throw new Refusal("INVALID_CREATOR");
  return fields.creator;
}

/** Issues a challenge that is valid for 60 s. @throws {Refusal} OFFLINE_CAPACITY */
export function issueChallenge(creator: string, { challenges, random }: Challenges, now: number): object {
  const id = Buffer.from(random(24)).toString("hex");
  const expiresAt = new Date(now + CHALLENGE_LIFETIME_MS).toISOString();
  const message = messageFor(creator, id, expiresAt);
  if (challenges.add(id, { creator, message }, now) === undefined) throw new Refusal("OFFLINE_CAPACITY");
  return { id, message, expiresAt, productionApproved: false };
}

/**
 * Returns the text to sign as UTF-8. It has the contents of contract, "Challenge"; the layout is
 * implementation-defined.
 */
function messageFor(creator: string, nonce: string, expiresAt: string): string {
  return [
    "Launch-draft prototype: prove control of a creator key",
    "",
    `Creator: ${creator}`,
    `Audience: ${AUDIENCE}`,
    `Demo terms hash: ${TERMS_HASH}`,
    `Nonce: ${nonce}`,
    `Expires: ${expiresAt}`,
    "",
    "This signature agrees to no terms and authorises no transaction.",
  ].join("\n");
}
