import { exactFields } from "./body.ts";
import { Refusal } from "./errors.ts";
import { checkMetadataUri } from "./metadata-uri.ts";
import { OPERATOR_KEY, PROGRAM_ADDRESS } from "./profile.ts";
import { isPublicKey } from "./public-key.ts";
import type { Session } from "./session.ts";

const FIELDS = ["creator", "mint", "name", "symbol", "uri"] as const;

/** The public fields of a launch (contract, "Launch request"). */
export type LaunchRequest = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Reads a launch request, each field by itself. @throws {Refusal} INVALID_FIELDS */
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

/** Binds the request to the session (contract, "POST /v1/launch/build" 1). @throws {Refusal} CREATOR_BINDING_OR_FIELDS */
export function checkBinding({ creator }: LaunchRequest, session: Session): void {
  if (creator !== session.creator) throw new Refusal("CREATOR_BINDING_OR_FIELDS");
}

/**
 * Checks what a valid field may still not be (contract, "Launch request").
 * @throws {Refusal} CANONICAL_BUILD_REJECTED for a mint that has another role already; METADATA_HOST, METADATA_URL
 */
export function checkConstraints({ creator, mint, uri }: LaunchRequest): void {
  // The program's address is ours to add: as a signer it would leave no transaction to compile.
  if ([creator, OPERATOR_KEY, PROGRAM_ADDRESS].includes(mint)) throw new Refusal("CANONICAL_BUILD_REJECTED");
  checkMetadataUri(uri);
}

/**
 * What idempotency compares: the five values in fixed order, so that key order, white space and escapes of the JSON
 * text do not matter. The values themselves are taken as they are, neither trimmed nor normalised: our choice.
 */
export function canonicalInput(request: LaunchRequest): string {
  return JSON.stringify(FIELDS.map((field) => request[field]));
}

/** One byte at least, `limit` bytes of UTF-8 at most, and text: a lone surrogate has no UTF-8 at all. */
function isTextWithin(limit: number, text: string): boolean {
  return text !== "" && Buffer.byteLength(text) <= limit && !/\p{Surrogate}/u.test(text);
}
