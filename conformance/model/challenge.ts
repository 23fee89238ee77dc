/** States of one challenge. It can be used once, within its lifetime (contract, "Challenge"). */

import { LIFETIME_MS } from "../contract/constants.ts";
import { FIELD_CODES } from "../contract/refusals.ts";
import { distinct } from "../data/json.ts";
import { ANY_TIME, type Clocks, type Interval, splitByPhase } from "../judge/clocks.ts";
import type { ProofVerdict } from "./proof.ts";
import type { Statement } from "./violation.ts";

export interface Challenge {
  /** Undefined if the history does not show the creator. */
  readonly creator: string | undefined;
  readonly signedBytes: Uint8Array | undefined;
  readonly issued: Interval;
  /** Use of the challenge that a response shows: it opened a session, or an invalid proof used it. */
  readonly usedBy?: "session" | "invalid proof" | undefined;
  readonly states: readonly ChallengeState[];
}

interface ChallengeState {
  readonly used: boolean;
  readonly clocks: Clocks;
}

export function issuedChallenge(
  creator: string,
  signedBytes: Uint8Array | undefined,
  issued: Interval,
  clocks: Clocks,
): Challenge {
  return { creator, signedBytes, issued, states: [{ used: false, clocks }] };
}

/** Returns a challenge of an unknown creator, issued at an unknown time. */
export function unseenChallenge(clocks: Clocks): Challenge {
  return { creator: undefined, signedBytes: undefined, issued: ANY_TIME, states: [{ used: false, clocks }] };
}

/**
 * Returns the challenge after a request that may have used it. The response is lost, or the whole exchange
 * is missing from the history.
 */
export function mayHaveBeenUsed(challenge: Challenge): Challenge {
  const states = distinct(challenge.states.flatMap((state) => [state, { ...state, used: true }]));
  return { ...challenge, states };
}

/** Adjusts the allowed outcomes of a verify request to the verdict on its proof. */
export function applyProof(proof: ProofVerdict, allowed: Set<string>): void {
  if (proof === "invalid") allowed.delete("OK");
  if (proof === "invalid" || proof === "unclear") allowed.add("INVALID_PROOF");
  if (proof === "unclear") for (const code of FIELD_CODES) allowed.add(code);
}

export interface Verification {
  readonly at: Interval;
  /** `OK` or a refusal code. */
  readonly code: string;
  readonly proof: ProofVerdict;
  /** Outcomes that the request and its proof explain. */
  readonly allowed: ReadonlySet<string>;
  /** Clock worlds that no response of the service has ruled out. */
  readonly clocks: Clocks;
}

export interface ChallengeStep {
  /** States after the response. Empty if no state explains it. */
  readonly states: readonly ChallengeState[];
  /** Outcomes that some state explains. */
  readonly expected: ReadonlySet<string>;
}

/** Keeps the states that explain the response to a verify request. */
export function stepChallenge(challenge: Challenge, verification: Verification): ChallengeStep {
  const { at, code, proof, allowed } = verification;
  const states: ChallengeState[] = [];
  const expected = new Set<string>();
  const keep = (clocks: Clocks, used: boolean) => {
    if (clocks.length > 0) states.push({ used, clocks });
  };
  for (const state of challenge.states) {
    const clocks = state.clocks.filter((clock) => verification.clocks.includes(clock));
    const phases = splitByPhase(clocks, challenge.issued, at, LIFETIME_MS.challenge);
    const usable = state.used ? [] : phases.live;
    const unusable = state.used ? clocks : phases.expired;
    if (usable.length > 0) for (const outcome of allowed) expected.add(outcome);
    if (unusable.length > 0) expected.add("EXPIRED_OR_USED_CHALLENGE");
    if (code === "EXPIRED_OR_USED_CHALLENGE") keep(unusable, state.used);
    else if (!allowed.has(code)) continue;
    else if (code === "OK") keep(usable, true);
    else {
      // An invalid proof uses the challenge. The contract does not say whether other refusals do.
      const mustBeUsed = code === "INVALID_PROOF" && proof === "invalid";
      keep(clocks, true);
      keep(mustBeUsed ? unusable : clocks, state.used);
    }
  }
  return { states: distinct(states), expected };
}

/** Returns the outcomes of a verify request for a challenge that was never issued. */
export function outcomesOfUnknownChallenge(
  allowed: ReadonlySet<string>,
  isRefusedAnyway: boolean,
): ReadonlySet<string> {
  const outcomes = new Set([...allowed, "EXPIRED_OR_USED_CHALLENGE", "INVALID_PROOF"]);
  if (!isRefusedAnyway) for (const code of FIELD_CODES) outcomes.add(code);
  outcomes.delete("OK");
  return outcomes;
}

/**
 * Returns the requirement that a service violates if it opens a session that no state explains.
 * @param proof verdict on the proof that opened the session
 */
export function acceptedWrongly({ states, usedBy }: Challenge, proof: ProofVerdict): Statement {
  const isUsed = states.every(({ used }) => used);
  if (!isUsed)
    return proof === "invalid"
      ? "an invalid proof opens no session"
      : "an expired challenge opens no session";
  return usedBy === "invalid proof"
    ? "an invalid proof uses up the challenge"
    : "a challenge opens only one session";
}
