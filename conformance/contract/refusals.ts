/** Refusal codes, and the limits and patterns that requests must satisfy. */
import { operationOf } from "./constants.ts";
import { schemaOf } from "./openapi.ts";
import { mergeOutcomes, type Outcome } from "./outcome.ts";

/** Status of each refusal code (contract, "Errors"). */
export const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map(
  [400, 401, 404, 409, 413, 429].flatMap((status) =>
    (schemaOf(`Error${status}`).properties?.["code"]?.enum ?? []).map((code) => [code, status] as const),
  ),
);

/** Codes for invalid fields. The contract does not say which of them an operation returns. */
export const FIELD_CODES = ["INVALID_FIELDS", "INVALID_DEMO_TERMS_OR_FIELDS", "CREATOR_BINDING_OR_FIELDS"];
/** Codes for an invalid field of a build. */
export const BUILD_CODES = [...FIELD_CODES, "CANONICAL_BUILD_REJECTED"];
/** Codes for a metadata URI that is malformed, or that names an unknown host. */
export const URI_CODES = ["METADATA_URL", "METADATA_HOST"];

/** Period of the build limit, in ms (contract, "Limits"). */
export const RATE_WINDOW_MS = 60_000;
/** Number of build requests in a minute, including retries, above which a service may limit a creator. */
export const BUILD_REQUESTS_PER_MINUTE = 20;
/** Time for which a service refuses a key after its draft has expired, in ms (rule IDEMPOTENCY-51). */
export const EXPIRED_KEY_RETENTION_MS = 60_000;

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

/** Returns whether a request is for an execution route, which never exists (contract, "Endpoints"). */
export function isExecutionRequest(request: { readonly method: string; readonly path: string }): boolean {
  return request.method === "POST" && operationOf(request) === "other" && EXECUTION_PATH.test(request.path);
}

/** A likely path of each execution route (contract, "Endpoints"). */
export const EXECUTION_PATHS = ["sign", "send", "buy", "claim", "payout"].map((verb) => `/v1/launch/${verb}`);

/** Converts names to outcomes, one for each status. @param names `OK` or refusal codes */
export function outcomesOf(names: readonly string[]): readonly Outcome[] {
  return mergeOutcomes(
    names.map((name) => ({ status: STATUS_OF_CODE.get(name) ?? 200, codes: name === "OK" ? [] : [name] })),
  );
}
