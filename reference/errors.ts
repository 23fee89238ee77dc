/** Status of each error code (contract, "Errors"). */
export const STATUS_OF = {
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
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/**
 * Thrown by a check that refuses a request. The handler turns it into an error response. It is not an
 * `Error`, because no one needs its stack.
 */
export class Refusal {
  readonly name = "Refusal";
  readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    this.code = code;
  }
}
