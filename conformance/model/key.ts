/**
 * States of one idempotency key of one creator (contract, "States and transitions"). A key is unused, bound
 * (to the input of a refused build), or drafted (bound to an input and its draft). A service may or may not
 * bind a key when it refuses a build, so after a refusal the key may be unused or bound.
 */

import { LIFETIME_MS } from "../contract/constants.ts";
import { EXPIRED_KEY_RETENTION_MS } from "../contract/refusals.ts";
import { distinct } from "../data/json.ts";
import { ALL_CLOCKS, type Clocks, type Interval, type Phases, splitByPhase } from "../judge/clocks.ts";

export type KeyState =
  | { readonly is: "unused" }
  | { readonly is: "bound"; readonly input: string }
  | DraftedKey;

export interface DraftedKey {
  readonly is: "drafted";
  readonly input: string;
  readonly normalizedInput: string;
  /** Digest of the draft. Undefined if the history lacks the response with the draft. */
  readonly draft: string | undefined;
  readonly built: Interval;
  /** Bearer of the build. */
  readonly bearer: string;
  /** Whether the service has refused the key because the draft has expired. */
  readonly isExpired?: boolean;
  readonly clocks: Clocks;
}

export const UNUSED: KeyState = { is: "unused" };

/** Input of a key whose build is missing from the history. */
const UNKNOWN_INPUT = "?";

/** Clock of a service that returns drafts longer than the contract requires. The belief learns how long. */
export const LINGERING = "lingering";

/** Bounds of the time for which a service with the clock `LINGERING` returns a draft. */
export interface LingeringTime {
  readonly minMs: number;
  readonly maxMs: number;
}

export const INITIAL_LINGERING_TIME: LingeringTime = {
  minMs: LIFETIME_MS.build,
  maxMs: Number.POSITIVE_INFINITY,
};

/** Amount by which rounding may move the end of the lingering time. */
const LINGERING_TOLERANCE_MS = 1000;

/** A build and its response, with the facts about the service that `stepKey` needs. */
export interface Build extends Pick<DraftedKey, "input" | "normalizedInput" | "bearer"> {
  readonly at: Interval;
  /** Digest of the draft in the response. Empty if there is no draft. */
  readonly draft: string;
  /** `OK` or a refusal code. */
  readonly code: string;
  /** Whether a service refuses the build in every state of its key. */
  readonly isRefusedAnyway: boolean;
  /** Whether the store of drafts may be full. A full store may drop expired drafts and refused builds. */
  readonly mayBeFull: boolean;
  /** Whether the history may lack exchanges. */
  readonly incomplete: boolean;
  /** Clock worlds that no response of the service has ruled out. */
  readonly clocks: Clocks;
  readonly lingering: LingeringTime;
}

export interface KeyStep {
  /** States after the response. Empty if no state explains it. */
  readonly states: readonly KeyState[];
  /** Refusals that some state explains. */
  readonly refusals: readonly string[];
  /** Whether some state explains a success. */
  readonly mayServe: boolean;
  /** Whether a limit may refuse the build. A limit must not refuse a retry. */
  readonly mayLimit: boolean;
  /** Whether a success returns a new draft, replays an earlier draft, or may do either. */
  readonly served: "new" | "replay" | "new or replay";
}

/** Result of a step from one state. */
interface StateStep extends Omit<KeyStep, "served"> {
  readonly servesNew?: boolean;
  readonly servesReplay?: boolean;
}

/** Keeps the states that explain the response to a build. */
export function stepKey(before: readonly KeyState[], build: Build): KeyStep {
  const possible = build.incomplete ? withUnseenDrafts(before, build) : before;
  const steps = possible.map((state) =>
    state.is === "drafted" ? stepDrafted(state, build) : stepUndrafted(state, build),
  );
  const servesNew = steps.some((step) => step.servesNew);
  const servesReplay = steps.some((step) => step.servesReplay);
  return {
    states: distinct(steps.flatMap(({ states }) => states)),
    refusals: steps.flatMap(({ refusals }) => refusals),
    mayServe: steps.some(({ mayServe }) => mayServe),
    mayLimit: steps.some(({ mayLimit }) => mayLimit),
    served: servesReplay ? (servesNew ? "new or replay" : "replay") : "new",
  };
}

/** Returns the states after a build whose response is lost: it may have bound the key or created a draft. */
export function mayHaveBuilt(
  before: readonly KeyState[],
  build: Pick<DraftedKey, "input" | "normalizedInput" | "built" | "bearer">,
  clocks: Clocks,
): readonly KeyState[] {
  if (before.some(({ is }) => is === "drafted")) return before;
  const drafted: KeyState = { is: "drafted", ...build, draft: undefined, clocks };
  return [...before, { is: "bound", input: build.input }, drafted];
}

/** Adds a drafted state with unknown input, because the history may lack the build of a draft. */
function withUnseenDrafts(before: readonly KeyState[], { at, bearer, clocks }: Build): readonly KeyState[] {
  const unseen: KeyState = {
    is: "drafted",
    input: UNKNOWN_INPUT,
    normalizedInput: UNKNOWN_INPUT,
    draft: undefined,
    built: { earliest: Number.NEGATIVE_INFINITY, latest: at.latest },
    bearer: "",
    clocks,
  };
  // A draft that is expired, or was lost at a restart, may have been replaced.
  const isCurrent = ({ bearer: ownBearer, built }: DraftedKey) =>
    ownBearer === bearer && splitByPhase(ALL_CLOCKS, built, at, LIFETIME_MS.build).expired.length === 0;
  return before.flatMap((state) => {
    const isKept = state.is === "drafted" && (state.input === UNKNOWN_INPUT || isCurrent(state));
    return isKept ? [state] : [state, unseen];
  });
}

function stepUndrafted(state: Exclude<KeyState, DraftedKey>, build: Build): StateStep {
  const { code, input } = build;
  const conflicts = state.is === "bound" && state.input !== input;
  // The refused build that bound the key may be forgotten, because a full store dropped it.
  const mayServe = !conflicts || build.mayBeFull;
  const step = { refusals: conflicts ? ["IDEMPOTENCY_CONFLICT"] : [], mayServe, mayLimit: true };
  if (code === "OK") {
    return { ...step, states: mayServe ? [newDraft(build)] : [], servesNew: mayServe };
  }
  if (code === "IDEMPOTENCY_CONFLICT") return { ...step, states: conflicts ? [state] : [] };
  if (code === "REBUILD_WITH_NEW_KEY") return { ...step, states: [] };
  return { ...step, states: state.is === "unused" ? [state, { is: "bound", input }] : [state] };
}

function stepDrafted(drafted: DraftedKey, build: Build): StateStep {
  const { at, code, input, isRefusedAnyway } = build;
  const clocks = drafted.clocks.filter((clock) => build.clocks.includes(clock));
  const { live, expired } = draftPhases({ ...drafted, clocks }, build);
  const maxAgeMs = at.latest - drafted.built.earliest;
  const isSame =
    drafted.input === UNKNOWN_INPUT ||
    drafted.input === input ||
    drafted.normalizedInput === build.normalizedInput;
  const mayConflict = drafted.input !== input || isRefusedAnyway;
  const mayBeDropped =
    maxAgeMs >= LIFETIME_MS.build + EXPIRED_KEY_RETENTION_MS ||
    (build.mayBeFull && expired.length > 0) ||
    (build.incomplete && drafted.bearer !== build.bearer);
  const limited = mayConflict ? clocks : expired;
  const step = {
    refusals: [
      ...(mayConflict ? ["IDEMPOTENCY_CONFLICT"] : []),
      ...(expired.length > 0 ? ["REBUILD_WITH_NEW_KEY"] : []),
    ],
    mayServe: mayBeDropped || (isSame && live.length > 0),
    mayLimit: limited.length > 0,
  };
  const keep = (worlds: Clocks): readonly KeyState[] =>
    worlds.length > 0 ? [{ ...drafted, clocks: worlds }] : [];
  if (code === "OK") {
    const isSameDraft = drafted.draft === undefined || drafted.draft === build.draft;
    const servesReplay = isSame && live.length > 0 && isSameDraft;
    const replayed: KeyState = { ...drafted, clocks: live, draft: build.draft };
    const states = [...(servesReplay ? [replayed] : []), ...(mayBeDropped ? [newDraft(build)] : [])];
    return { ...step, states, servesReplay, servesNew: mayBeDropped };
  }
  if (code === "IDEMPOTENCY_CONFLICT") return { ...step, states: keep(mayConflict ? clocks : []) };
  if (code === "REBUILD_WITH_NEW_KEY")
    return { ...step, states: keep(expired).map((state) => ({ ...state, isExpired: true })) };
  const isLimit = code.startsWith("OFFLINE");
  const dropped: readonly KeyState[] = mayBeDropped ? [UNUSED, { is: "bound", input }] : [];
  return { ...step, states: [...keep(isLimit ? limited : clocks), ...dropped] };
}

function newDraft({ at, input, normalizedInput, draft, bearer, clocks }: Build): KeyState {
  return { is: "drafted", input, normalizedInput, draft, built: at, bearer, clocks };
}

function draftPhases({ clocks, built, isExpired }: DraftedKey, { at, lingering }: Build): Phases {
  const exactClocks = clocks.filter((clock) => clock !== LINGERING);
  const { live, expired } = splitByPhase(exactClocks, built, at, LIFETIME_MS.build);
  if (!clocks.includes(LINGERING)) return { live, expired };
  const minAgeMs = at.earliest - built.latest;
  const maxAgeMs = at.latest - built.earliest;
  const mayBeLive = isExpired !== true && minAgeMs < lingering.maxMs + LINGERING_TOLERANCE_MS;
  // A refusal exactly at the end of the retry window shows that drafts do not linger.
  const mayBeExpired = maxAgeMs > LIFETIME_MS.build && maxAgeMs > lingering.minMs - LINGERING_TOLERANCE_MS;
  return {
    live: mayBeLive ? [...live, LINGERING] : live,
    expired: mayBeExpired ? [...expired, LINGERING] : expired,
  };
}

/**
 * Narrows the bounds of the lingering time, assuming that the service has the clock `LINGERING`.
 * @param agesMs possible ages of the draft when the service returned it or refused the retry
 */
export function narrowLingering(
  lingering: LingeringTime,
  code: string,
  agesMs: readonly number[],
): LingeringTime {
  if (code === "OK") return { ...lingering, minMs: Math.max(lingering.minMs, Math.min(...agesMs)) };
  if (code === "REBUILD_WITH_NEW_KEY")
    return { ...lingering, maxMs: Math.min(lingering.maxMs, Math.max(...agesMs)) };
  return lingering;
}

/** Returns whether some lingering time is within the bounds. */
export function isPossible({ minMs, maxMs }: LingeringTime): boolean {
  return minMs <= maxMs + 2 * LINGERING_TOLERANCE_MS;
}
