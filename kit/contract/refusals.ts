/** Refusal codes, and the limits and forms that a service checks before its state. */
import { operationOf } from "./constants.ts";

/** Status of each refusal code (contract, "Errors"). */
export const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  INVALID_DEMO_TERMS_OR_FIELDS: 400,
  INVALID_CREATOR: 400,
  INVALID_FIELDS: 400,
  CREATOR_BINDING_OR_FIELDS: 400,
  IDEMPOTENCY_REQUIRED: 400,
  METADATA_HOST: 400,
  METADATA_URL: 400,
  CANONICAL_BUILD_REJECTED: 400,
  INVALID_JSON_BODY: 400,
  UNAUTHORIZED: 401,
  EXPIRED_OR_USED_CHALLENGE: 401,
  INVALID_PROOF: 401,
  NO_EXECUTION_ENDPOINT: 404,
  IDEMPOTENCY_CONFLICT: 409,
  REBUILD_WITH_NEW_KEY: 409,
  BODY_TOO_LARGE: 413,
  OFFLINE_CAPACITY: 429,
  OFFLINE_RATE_LIMIT: 429,
};

/** Codes that name fields. The contract does not say which of them an operation returns. */
export const FIELD_CODES = ["INVALID_FIELDS", "INVALID_DEMO_TERMS_OR_FIELDS", "CREATOR_BINDING_OR_FIELDS"];
/** Codes for an invalid field of a build. */
export const BUILD_CODES = [...FIELD_CODES, "CANONICAL_BUILD_REJECTED"];
/** Codes for a metadata URI that is malformed, or that names an unknown host. */
export const URI_CODES = ["METADATA_URL", "METADATA_HOST"];

/** Period that the build limit counts, in ms (contract, "Limits"). */
export const RATE_WINDOW_MS = 60_000;
/** Time after its draft expires during which a key is still refused, in ms (rule IDEMPOTENCY-51). */
export const EXPIRED_KEY_RETENTION_MS = 60_000;
export const MAX_BODY_BYTES = 16_384;
export const MAX_URI_BYTES = 200;

/** Fields of a request body. All are strings, all are required, and no others are allowed. */
export const BODY_FIELDS = {
  challenge: ["creator", "termsHash"],
  verify: ["id", "signatureBase64"],
  build: ["creator", "mint", "name", "symbol", "uri"],
} as const;

export const CHALLENGE_ID = /^[a-f0-9]{48}$/;
export const TERMS_HASH = /^[a-f0-9]{64}$/;
export const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{8,64}$/;
export const BASE58_KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const EXECUTION_PATH = /(^|\/)(sign|send|buy|claim|payout)\/?(\?|$)/i;

/** Returns whether a request asks for one of the routes that never exist (contract, "Endpoints"). */
export function isExecutionRequest(request: { readonly method: string; readonly path: string }): boolean {
  return request.method === "POST" && operationOf(request) === "other" && EXECUTION_PATH.test(request.path);
}

/** One likely path of each route that never exists (contract, "Endpoints"). */
export const EXECUTION_PATHS = ["sign", "send", "buy", "claim", "payout"].map((verb) => `/v1/launch/${verb}`);
