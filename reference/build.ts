import { copyDraft, createDraft, type Draft } from "./draft.ts";
import { Refusal } from "./errors.ts";
import { canonicalInput, type LaunchRequest } from "./launch-request.ts";
import type { ServiceState } from "./state.ts";

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{8,64}$/;

/** The idempotency key. @throws {Refusal} IDEMPOTENCY_REQUIRED where it is missing or, our choice, malformed */
export function readIdempotencyKey(value: unknown): string {
  if (typeof value !== "string" || !IDEMPOTENCY_KEY.test(value)) throw new Refusal("IDEMPOTENCY_REQUIRED");
  return value;
}

/**
 * The draft that this creator already has under this key, or undefined where the key is new (contract, "States and
 * transitions", Draft).
 * @throws {Refusal} IDEMPOTENCY_CONFLICT for changed input, whether or not the draft has expired; then REBUILD_WITH_NEW_KEY
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

/** Holds the creator to five new builds a minute; only builds that were made count. @throws {Refusal} OFFLINE_RATE_LIMIT */
export function checkRate({ creator }: LaunchRequest, { limiter }: ServiceState, now: number): void {
  if (!limiter.allows(creator, now)) throw new Refusal("OFFLINE_RATE_LIMIT");
}

/** Makes sure that the build can be stored and counted. @throws {Refusal} OFFLINE_CAPACITY */
export function checkRoom(
  request: LaunchRequest,
  key: string,
  { builds, limiter }: ServiceState,
  now: number,
): void {
  const room = builds.hasRoom(scope(request, key), now) && limiter.hasRoom(request.creator, now);
  if (!room) throw new Refusal("OFFLINE_CAPACITY");
}

/** Builds a draft, stores it under its creator and key, and counts it. */
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

/** A key belongs to its creator (rule 2). Neither part can contain the space, so no two pairs meet. */
function scope({ creator }: LaunchRequest, key: string): string {
  return `${creator} ${key}`;
}
