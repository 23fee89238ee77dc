import { hash } from "node:crypto";
import type { BoundedStore } from "./bounded-store.ts";
import { Refusal } from "./errors.ts";

/** What is kept of a session. The bearer is not: the store knows it by its hash. */
export interface Session {
  readonly creator: string;
}

/** What of a service's state tells who is signed in. */
export interface Sessions {
  readonly sessions: BoundedStore<Session>;
}

/** Lifetime of a session in ms (contract, "Limits"). */
export const SESSION_LIFETIME_MS = 3_600_000;

/** Base64url of 32 bytes, the form of every bearer issued here: our choice. */
const BEARER = /^[A-Za-z0-9_-]{43}$/;

/** The one thing kept of a bearer (contract, "Authentication" 4): its SHA-256 as base64. */
export function bearerHash(bearer: string): string {
  return hash("sha256", bearer, "base64");
}

/** The session of a bearer. @throws {Refusal} UNAUTHORIZED where it is missing, unknown or expired */
export function findSession(bearer: unknown, { sessions }: Sessions, now: number): Session {
  const known = typeof bearer === "string" && BEARER.test(bearer);
  const entry = known ? sessions.find(bearerHash(bearer), now) : undefined;
  if (entry === undefined) throw new Refusal("UNAUTHORIZED");
  return entry.value;
}
