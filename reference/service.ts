/**
 * The reference implementation of contract `partner-preview-1`: an offline prototype, in memory, without keys.
 * The main path starts in `handler.ts`.
 */
import { randomBytes } from "node:crypto";
import { type Envelope, handle } from "./handler.ts";
import { METADATA_HOSTS, OPERATOR_KEY } from "./profile.ts";
import { type Capacity, emptyState } from "./state.ts";

export const implementation = {
  name: "launch-draft-reference",
  version: "0.1.0",
  language: "TypeScript",
} as const;

/** What a test driver may do with this service. */
export const capabilities = { clock: "virtual", restart: true, rawBody: true, concurrency: true } as const;

const DEFAULT_CAPACITY: Capacity = { challenges: 256, sessions: 64, drafts: 128 };

/** What the contract leaves open and a test driver cannot observe. */
export const facts = {
  metadataHosts: METADATA_HOSTS,
  operatorKey: OPERATOR_KEY,
  signedBytes: "utf8",
  capacity: DEFAULT_CAPACITY,
} as const;

/** What a service is given from outside. */
export interface ServiceOptions {
  /** The clock: ms since the Unix epoch. */
  readonly now: () => number;
  /** Gives that many unpredictable bytes. Default: the system's cryptographic generator. */
  readonly random?: (bytes: number) => Uint8Array;
  /** The most entries of each kind held at once. Default: 256 challenges, 64 sessions, 128 drafts. */
  readonly capacity?: Partial<Capacity>;
}

/** A running service. */
export interface Service {
  /**
   * Answers one call: `{method, path, body, bearer, idempotencyKey}`, where `body` is the exact text of the request
   * body, or a Uint8Array where it is not valid UTF-8. Takes any value at all and never throws.
   */
  handle(request: unknown): Envelope;
}

/** Starts a service with empty state. Calls are answered one after the other, so each sees the effects of the last. */
export function createService({ now, random = randomBytes, capacity }: ServiceOptions): Service {
  const state = emptyState({ ...DEFAULT_CAPACITY, ...capacity }, random);
  return { handle: (request) => handle(request, state, Math.floor(now())) };
}
