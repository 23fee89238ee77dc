import { copyDraft, createDraft, type Draft } from "./draft.ts";
import { Refusal } from "./errors.ts";
import { canonicalInput, type LaunchRequest } from "./launch-request.ts";
import type { ServiceState } from "./state.ts";

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{8,64}$/;

/**
 * Reads the idempotency key.
 * @throws {Refusal} IDEMPOTENCY_REQUIRED if it is missing or malformed (the latter is implementation-defined)
 */
export function readIdempotencyKey(value: unknown): string {
  if (typeof value !== "string" || !IDEMPOTENCY_KEY.test(value)) throw new Refusal("IDEMPOTENCY_REQUIRED");
  return value;
}

/**
 * Returns the draft that a creator has under a key, or undefined if the key is new (contract, "States and
 * transitions", Draft).
 * @throws {Refusal} IDEMPOTENCY_CONFLICT for changed input, REBUILD_WITH_NEW_KEY if the draft has expired
 */
export function findDraft(
  request: LaunchRequest,
  key: string,
  { builds }: ServiceState,
  now: number,
): Draft | undefined {
  const entry = builds.find(scope(request, key), now);
  if (entry === undefined) return undefined;
  if (entry.value.input !== canonicalInput(request)) throw new Refusal("IDEMPOTENCY_CONFLICT");
  if (now >= entry.expiresAt) throw new Refusal("REBUILD_WITH_NEW_KEY");
  return copyDraft(entry.value.draft);
}

/**
 * Checks the creator's limit of new builds. Refused builds do not count.
 * @throws {Refusal} OFFLINE_RATE_LIMIT
 */
export function checkRate({ creator }: LaunchRequest, { limiter }: ServiceState, now: number): void {
  if (!limiter.allows(creator, now)) throw new Refusal("OFFLINE_RATE_LIMIT");
}

/** Checks that the build can be stored and counted. @throws {Refusal} OFFLINE_CAPACITY */
export function checkRoom(
  request: LaunchRequest,
  key: string,
  { builds, limiter }: ServiceState,
  now: number,
): void {
  const room = builds.hasRoom(scope(request, key), now) && limiter.hasRoom(request.creator, now);
  if (!room) throw new Refusal("OFFLINE_CAPACITY");
}

/** Creates a draft, stores it under its creator and key, and counts it. */
export function buildDraft(
  request: LaunchRequest,
  key: string,
  { builds, limiter }: ServiceState,
  now: number,
): Draft {
  const draft = createDraft(request, now);
  builds.add(scope(request, key), { input: canonicalInput(request), draft }, now);
  limiter.record(request.creator, now);
  return copyDraft(draft);
}

/**
 * Returns the store's key for a creator and an idempotency key. Neither contains a space.
 */
function scope({ creator }: LaunchRequest, key: string): string {
  return `${creator} ${key}`;
}
