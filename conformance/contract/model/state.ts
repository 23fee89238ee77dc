import type { Facts } from "../../adapters/adapter.ts";
import type { Moment } from "../../engine/search/model.ts";
import { Asked } from "../asked.ts";
import type { SeenRoom } from "../room.ts";
import type { addressKind } from "./address.ts";
import type { LaunchInput } from "./launch-input.ts";
import type { ClockDoubt } from "./moment.ts";
import type { RateBelief } from "./rate-belief.ts";
import type { RateBounds } from "./rate-bounds.ts";

/** What the model must know besides what it sees. */
export interface ModelContext {
  readonly facts: Facts;
  readonly doubt: ClockDoubt;
  readonly room: SeenRoom;
  /** Whether others asked, with keys of which nobody may have stated whose they are. */
  readonly recorded?: boolean;
  /** Whether the service may have been asked, restarted and seen by others without the model's knowing it. */
  readonly inPart?: boolean;
  /** Whether a creator's bearer may be given again unseen (BEARER-PER-SESSION): in the same run, and after a restart. */
  readonly bearerHabit?: { readonly mayRecur: boolean; readonly mayOutliveRestart: boolean };
  /** How a text stands as a key; looked at closely unless told. */
  readonly kindOf?: typeof addressKind;
  /** How old the draft of the answer at hand may have been when it was given, in ms, where it may be given again unseen. */
  readonly draftAgeMs?: () => number;
  /** Whether a signature over these bytes holds for a creator. */
  readonly proofHolds: (creator: string, signed: Uint8Array, signature: Uint8Array) => ProofWeight;
}

/**
 * What a proof is worth: where honest libraries differ, the open point that they differ on. A proof that fails may have
 * a creator that is no point of the curve, or be none that any signer makes. `unknown` where nobody saw the proof.
 */
export type ProofWeight = "yes" | "no" | "unknown" | "no-key" | "no-signature" | { readonly point: string };

export interface ChallengeState {
  readonly creator: string;
  /** What its creator has to sign; undefined where nobody saw it being issued. */
  readonly signed: Uint8Array | undefined;
  readonly issued: Moment;
  /** How it was used up, or whether it might have been: by what the contract leaves open. */
  used: "no" | "maybe" | "by-good-proof" | "by-bad-proof";
}

export interface SessionState {
  /** Undefined where the bearer was refused, and nobody saw it being given. */
  readonly creator: string | undefined;
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
  /** What is known of limiters where others asked. */
  readonly bounds: Map<string, RateBounds>;
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
  bounds: ServiceInstance["bounds"] = new Map(),
): ServiceInstance {
  return {
    started,
    profile: undefined,
    challenges: new Map(),
    sessions: new Map(),
    drafts: new Map(),
    refusedKeys: new Map(),
    rates: new Map(),
    bounds,
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
