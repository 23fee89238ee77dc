/** The facts of the service's interface that no data file holds, each in this one place. Bodies: see `openapi.ts`. */

/** Name of the contract, as the adapter protocol and reports say it. */
export const CONTRACT_ID = "partner-preview-1";

/** The operations of the contract. */
export type OperationName = "platform" | "challenge" | "verify" | "build";

/** Method and path of each operation (contract, "Endpoints"). */
export const ROUTES: Readonly<Record<OperationName, { readonly method: string; readonly path: string }>> = {
  platform: { method: "GET", path: "/v1/platform" },
  challenge: { method: "POST", path: "/v1/auth/challenge" },
  verify: { method: "POST", path: "/v1/auth/verify" },
  build: { method: "POST", path: "/v1/launch/build" },
};

/** An operation, or `other` for a request that is none. */
export type Operation = OperationName | "other";

const BY_ROUTE: ReadonlyMap<string, OperationName> = new Map(
  Object.entries(ROUTES).map(([name, { method, path }]) => [`${method} ${path}`, name as OperationName]),
);

/** Which operation of the contract a request is, by its exact method and path. */
export function operationOf(method: string, path: string): Operation {
  return BY_ROUTE.get(`${method} ${path}`) ?? "other";
}

/** What every path begins with (contract, "Versioning"). */
export const VERSION_PREFIX = "/v1";

/** Routes that do not exist, by the word in which they would be named (contract, "Endpoints"). */
export const EXECUTION_WORDS = ["sign", "send", "buy", "claim", "payout"] as const;
export type ExecutionWord = (typeof EXECUTION_WORDS)[number];

/** Where a route that does not exist might have been. */
export function executionPath(word: ExecutionWord): string {
  return `${VERSION_PREFIX}/launch/${word}`;
}

/** How long things live, in ms (contract, "Limits"): of a draft, how long it is returned to retries. */
export const LIFETIME_MS = { challenge: 60_000, session: 3_600_000, draft: 30_000 } as const;

/** New builds of one creator in a minute (contract, "Limits"). */
export const BUILDS_PER_MINUTE = 5;
export const MINUTE_MS = 60_000;

/** What a challenge message names as its audience (contract, "Challenge"). */
export const AUDIENCE = "offline-demo";

/** The stores whose bound is not shown (contract, "Limits"), by the operation that fills them. */
export const STORE_OF = { challenge: "challenges", verify: "sessions", build: "drafts" } as const;
export type Store = (typeof STORE_OF)[keyof typeof STORE_OF];

/** Answers that more than one part of the kit has to know by their code (contract, "Errors"). */
export const OUTCOMES = {
  served: { status: 200, codes: [] },
  full: { status: 429, codes: ["OFFLINE_CAPACITY"] },
  limited: { status: 429, codes: ["OFFLINE_RATE_LIMIT"] },
  conflict: { status: 409, codes: ["IDEMPOTENCY_CONFLICT"] },
  rebuild: { status: 409, codes: ["REBUILD_WITH_NEW_KEY"] },
  unauthorized: { status: 401, codes: ["UNAUTHORIZED"] },
  spentChallenge: { status: 401, codes: ["EXPIRED_OR_USED_CHALLENGE"] },
  invalidProof: { status: 401, codes: ["INVALID_PROOF"] },
  tooLarge: { status: 413, codes: ["BODY_TOO_LARGE"] },
  noExecution: { status: 404, codes: ["NO_EXECUTION_ENDPOINT"] },
  noJson: { status: 400, codes: ["INVALID_JSON_BODY"] },
  noKey: { status: 400, codes: ["IDEMPOTENCY_REQUIRED"] },
  foreignCreator: { status: 400, codes: ["CREATOR_BINDING_OR_FIELDS"] },
} as const;

/** The code of an error answer (contract, "Error body"). */
export function codeOf(body: Readonly<Record<string, unknown>>): unknown {
  return body["code"];
}

/** Whether an answer is of this outcome. */
export function isAnswered(
  outcome: { readonly status: number; readonly codes: readonly string[] },
  answer: { readonly status: number | undefined; readonly body: Readonly<Record<string, unknown>> },
): boolean {
  if (answer.status !== outcome.status) return false;
  const code = codeOf(answer.body);
  return outcome.codes.length === 0 || outcome.codes.some((accepted) => accepted === code);
}
