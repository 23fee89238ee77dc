import type { Facts } from "../../adapters/adapter.ts";
import type { Moment } from "../../engine/search/model.ts";
import { Asked } from "../asked.ts";
import type { SeenRoom } from "../room.ts";
import type { LaunchInput } from "./launch-input.ts";
import type { ClockDoubt } from "./moment.ts";
import type { RateBelief } from "./rate-belief.ts";

/** What the model must know besides what it sees. */
export interface ModelContext {
  readonly facts: Facts;
  readonly doubt: ClockDoubt;
  readonly room: SeenRoom;
  /** Whether a signature over these bytes holds for a creator. */
  readonly proofHolds: (creator: string, signed: Uint8Array, signature: Uint8Array) => ProofWeight;
}

/**
 * What a proof is worth: where honest libraries differ, the open point that they differ on. A proof that fails may have
 * a creator that is no point of the curve, or be none that any signer makes.
 */
export type ProofWeight = "yes" | "no" | "no-key" | "no-signature" | { readonly point: string };

export interface ChallengeState {
  readonly creator: string;
  /** What its creator has to sign. */
  readonly signed: Uint8Array;
  readonly issued: Moment;
  /** How it was used up, or whether it might have been: by what the contract leaves open. */
  used: "no" | "maybe" | "by-good-proof" | "by-bad-proof";
}

export interface SessionState {
  readonly creator: string;
  readonly issued: Moment;
  uses: number;
  /** Whether it was refused at an instant at which it may have ended: from then on it has. */
  ended: boolean;
}

/** A draft that was given, under its creator and key. */
export interface DraftState {
  readonly input: LaunchInput;
  /** The text of the body that asked for it. */
  readonly text: string;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly built: Moment;
  readonly bearer: string;
  replays: number;
  conflicts: number;
  /** Whether the service said that it expired, at an instant at which it may have: from then on it has. */
  expired: boolean;
}

/** One instance of a service, from its start to its end: all that the contract lets it remember. */
export interface ServiceInstance {
  readonly started: Moment;
  profile: Readonly<Record<string, unknown>> | undefined;
  readonly challenges: Map<string, ChallengeState>;
  readonly sessions: Map<string, SessionState>;
  readonly drafts: Map<string, DraftState>;
  /** Inputs that were refused under a key: whether it is bound to them is open. */
  readonly refusedKeys: Map<string, LaunchInput[]>;
  /** Ids of the challenges of former instances. */
  readonly formerIds: Set<string>;
  readonly rates: Map<string, RateBelief>;
  /** What was known before the restart: whether a limiter remembers is open (RATE-ACROSS-RESTART). */
  readonly formerRates: Map<string, RateBelief>;
  /** Every entry that was stored; whether dead ones make room is open. */
  readonly stored: { challenges: number; sessions: number; drafts: number };
  /** Requests for challenges and sessions. */
  readonly asked: Asked;
}

/** The state of a service that has just started: nothing. */
export function newInstance(
  started: Moment,
  formerRates: ServiceInstance["formerRates"] = new Map(),
  formerIds: ServiceInstance["formerIds"] = new Set(),
): ServiceInstance {
  return {
    started,
    profile: undefined,
    challenges: new Map(),
    sessions: new Map(),
    drafts: new Map(),
    refusedKeys: new Map(),
    rates: new Map(),
    formerRates,
    formerIds,
    stored: { challenges: 0, sessions: 0, drafts: 0 },
    asked: new Asked(),
  };
}

/** Keys are scoped to their creator (contract, "POST /v1/launch/build" 2). */
export function keyScope(creator: string, key: string): string {
  return `${creator} ${key}`;
}
