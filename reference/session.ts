import { hash } from "node:crypto";
import type { BoundedStore } from "./bounded-store.ts";
import { Refusal } from "./errors.ts";

/** A session. It is stored under the hash of its bearer. */
export interface Session {
  readonly creator: string;
}

/** The part of the service's state that finds sessions. */
export interface Sessions {
  readonly sessions: BoundedStore<Session>;
}

/** Lifetime of a session in ms (contract, "Limits"). */
export const SESSION_LIFETIME_MS = 3_600_000;

/** Form of all bearers: base64url of 32 bytes (implementation-defined). */
const BEARER = /^[A-Za-z0-9_-]{43}$/;

/** Returns the SHA-256 of a bearer as base64 (contract, "Authentication", 4). */
export function bearerHash(bearer: string): string {
  return hash("sha256", bearer, "base64");
}

/**
 * Finds the session of a bearer.
 * @throws {Refusal} UNAUTHORIZED if the bearer is missing, unknown, or expired
 */
export function findSession(bearer: unknown, { sessions }: Sessions, now: number): Session {
  const known = typeof bearer === "string" && BEARER.test(bearer);
  const entry = known ? sessions.find(bearerHash(bearer), now) : undefined;
  if (entry === undefined) throw new Refusal("UNAUTHORIZED");
  return entry.value;
}
