import { exactFields } from "./body.ts";
import { Refusal } from "./errors.ts";
import { checkMetadataUri } from "./metadata-uri.ts";
import { OPERATOR_KEY, PROGRAM_ADDRESS } from "./profile.ts";
import { isPublicKey } from "./public-key.ts";
import type { Session } from "./session.ts";

const FIELDS = ["creator", "mint", "name", "symbol", "uri"] as const;

/** The public fields of a launch (contract, "Launch request"). */
export type LaunchRequest = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Reads a launch request, and checks each field separately. @throws {Refusal} INVALID_FIELDS */
export function readLaunchRequest(json: unknown): LaunchRequest {
  const fields = exactFields(json, FIELDS);
  const valid =
    fields !== undefined &&
    isPublicKey(fields.creator) &&
    isPublicKey(fields.mint) &&
    isTextWithin(32, fields.name) &&
    isTextWithin(10, fields.symbol) &&
    isTextWithin(200, fields.uri);
  if (!valid) throw new Refusal("INVALID_FIELDS");
  return fields;
}

/**
 * Checks that the creator is the session's (contract, "POST /v1/launch/build", 1).
 * @throws {Refusal} CREATOR_BINDING_OR_FIELDS
 */
export function checkBinding({ creator }: LaunchRequest, session: Session): void {
  if (creator !== session.creator) throw new Refusal("CREATOR_BINDING_OR_FIELDS");
}

/**
 * Checks the values of valid fields (contract, "Launch request").
 * @throws {Refusal} CANONICAL_BUILD_REJECTED (mint is creator, operator, or program), METADATA_HOST, METADATA_URL
 */
export function checkConstraints({ creator, mint, uri }: LaunchRequest): void {
  // The contract does not name the program's address, but a transaction cannot call one of its signers.
  if ([creator, OPERATOR_KEY, PROGRAM_ADDRESS].includes(mint)) throw new Refusal("CANONICAL_BUILD_REJECTED");
  checkMetadataUri(uri);
}

/**
 * Returns the canonical public input: the five values in a fixed order, independent of the JSON formatting.
 * Values are neither trimmed nor normalized (implementation-defined).
 */
export function canonicalInput(request: LaunchRequest): string {
  return JSON.stringify(FIELDS.map((field) => request[field]));
}

/** Returns whether a text has 1 to `limit` bytes of UTF-8, and no lone surrogate, which has no UTF-8. */
function isTextWithin(limit: number, text: string): boolean {
  return text !== "" && Buffer.byteLength(text) <= limit && !/\p{Surrogate}/u.test(text);
}
