/**
 * The reference implementation of contract `partner-preview-1`. Start reading in `handler.ts`.
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

/** Capabilities of this service in tests. */
export const capabilities = { clock: "virtual", restart: true, rawBody: true, concurrency: true } as const;

const DEFAULT_CAPACITY: Capacity = { challenges: 256, sessions: 64, drafts: 128 };

/** Facts that tests need and cannot observe. */
export const facts = {
  metadataHosts: METADATA_HOSTS,
  operatorKey: OPERATOR_KEY,
  signedBytes: "utf8",
  capacity: DEFAULT_CAPACITY,
} as const;

/** Options of a service. */
export interface ServiceOptions {
  /** Returns the time in ms since the Unix epoch. */
  readonly now: () => number;
  /** Returns the given number of unpredictable bytes (default: `randomBytes` of Node). */
  readonly random?: (bytes: number) => Uint8Array;
  /** Maximum number of entries in each store (default: 256 challenges, 64 sessions, 128 drafts). */
  readonly capacity?: Partial<Capacity>;
}

/** A running service. */
export interface Service {
  /**
   * Responds to a call `{method, path, body, bearer, idempotencyKey}`, where `body` is the text of the
   * request body, or a Uint8Array if it is not valid UTF-8. Accepts any value, and never throws.
   */
  handle(request: unknown): Envelope;
}

/** Starts a service with empty state. Each call returns before the next one starts. */
export function createService({ now, random = randomBytes, capacity }: ServiceOptions): Service {
  const state = emptyState({ ...DEFAULT_CAPACITY, ...capacity }, random);
  return { handle: (request) => handle(request, state, Math.floor(now())) };
}
