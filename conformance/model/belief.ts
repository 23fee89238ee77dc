/**
 * The model of a service: every state that the service may be in after its responses so far. Read this
 * comment first, and then `challenge.ts` (the simplest states), `step` below, `linearize.ts` (requests in
 * flight), and `history.ts` (whole histories).
 *
 * The contract leaves some behavior open, such as how a clock rounds or how a limiter counts a minute. A
 * world is one allowed behavior. The model does not know which behavior a service has. It keeps every world
 * in which a conforming service can send all responses so far. A response can rule out worlds. A response
 * that rules out the last world is a violation.
 *
 * Example: a challenge that lives for 60 s is issued at 12:00:00.500 and verified with a valid proof.
 *
 *   world                          expiry         at 12:01:00.400 (59.9 s)   at 12:01:00.600 (60.1 s)
 *   exact clock                    12:01:00.500   200                        401
 *   whole seconds, rounded down    12:01:00       401 (clock reads 12:01:00) 401
 *   expiry rounded up to seconds   12:01:01       200                        200
 *
 * A 401 at 59.9 s leaves only the second world. A 200 at 60.1 s leaves only the third world. Each response
 * alone is correct. A service that sends both responses, for two such challenges, has no world left, and so
 * violates the contract.
 *
 * A state is something that the service remembers, such as "challenge used". A state explains a response if
 * a conforming service can send the response in this state. A partition is a challenge, a bearer (with its
 * session), or a creator (with the limiter and the idempotency keys). A belief lists the possible states of
 * each partition. Each state has its own worlds. A service has one clock each for challenges, sessions and
 * drafts, and one limiter algorithm. So a world that is ruled out for one partition is ruled out for all
 * partitions of the same kind.
 *
 * For a build, the session can explain the code UNAUTHORIZED, the key both 409 codes, and the limiter
 * OFFLINE_RATE_LIMIT. A fault of the request can explain most other codes (`request-faults.ts`).
 *
 * If a partition has too many states, the model forgets the partition. It then does not judge exchanges that
 * depend on the partition, and counts them as not decided.
 */
import { hash } from "node:crypto";
import { STORE_OF, type Store } from "../contract/constants.ts";
import type { Exchange } from "../contract/exchange.ts";
import { CHALLENGE_ID } from "../contract/refusals.ts";
import { namedMembersOf } from "../contract/response-schemas.ts";
import { distinct, isObject, type JsonObject } from "../data/json.ts";
import {
  type Clocks,
  clocksOfServices,
  clocksOfStates,
  type Interval,
  type MeasuredClocks,
} from "../judge/clocks.ts";
import {
  acceptedWrongly,
  applyProof,
  type Challenge,
  issuedChallenge,
  mayHaveBeenUsed,
  outcomesOfUnknownChallenge,
  stepChallenge,
  unseenChallenge,
} from "./challenge.ts";
import type { ExchangeEvent, ServiceEvent, StatedFacts } from "./event.ts";
import { firstCertainFault, outcomesOf } from "./fault.ts";
import {
  type Build,
  INITIAL_LINGERING_TIME,
  isPossible,
  type KeyState,
  type KeyStep,
  LINGERING,
  type LingeringTime,
  mayHaveBuilt,
  narrowLingering,
  stepKey,
  UNUSED,
} from "./key.ts";
import {
  afterRestart,
  INITIAL_LIMITER_STATES,
  isTooLarge,
  type Limiter,
  type LimiterState,
  type LimiterStep,
  mergeStates,
  refusalKind,
  stepBounds,
  stepLimiter,
  withoutTimes,
} from "./limiter.ts";
import { type FirstUses, withFirstUse } from "./limiter-worlds.ts";
import { Load } from "./load.ts";
import { checkProof } from "./proof.ts";
import { type AnalyzedRequest, analyzeRequest, changedFields, type Profile } from "./request-faults.ts";
import { applyCreatorBinding, type Session, type SessionStep, stepSession } from "./session.ts";
import {
  conflictMissed,
  faultAccepted,
  refusalUnexplained,
  type Statement,
  type Violation,
  type ViolationPlace,
  violationOf,
} from "./violation.ts";

/** Facts about a service that the model knows before the first event. */
export interface Origin {
  readonly facts: StatedFacts;
  readonly started: Interval;
  /** Whether the history may lack exchanges and restarts. */
  readonly incomplete: boolean;
  /** Clocks that agree with the measured lifetimes, by operation (default: those that services may have). */
  readonly clocks?: MeasuredClocks;
  /** Worlds that earlier histories of the same implementation have not ruled out (default: all). */
  readonly worlds?: Worlds | undefined;
}

/** The worlds that no response has ruled out so far. All partitions of a service share them. */
export interface Worlds {
  readonly challengeClocks: Clocks;
  readonly sessionClocks: Clocks;
  readonly draftClocks: Clocks;
  readonly limiters: readonly LimiterState[];
  readonly lingering: LingeringTime;
  /** Whether a sign-in has renewed an earlier bearer. */
  readonly renewsBearers: boolean;
}

/** Returns the worlds that an origin allows. */
function worldsOf({ facts, clocks = {}, worlds }: Origin): Worlds {
  if (worlds !== undefined) return worlds;
  const unmeasured = clocksOfServices(facts.clockStepMs);
  return {
    challengeClocks: clocks.challenge ?? unmeasured,
    sessionClocks: clocks.verify ?? unmeasured,
    draftClocks: clocks.build ?? [...unmeasured, LINGERING],
    limiters: INITIAL_LIMITER_STATES,
    lingering: INITIAL_LINGERING_TIME,
    renewsBearers: false,
  };
}

/** Maximum number of states of one key. If a key has more, the model forgets the creator of the key. */
const MAX_KEY_STATES = 60;

/** Refusals that depend on earlier exchanges. */
const REFUSALS_OF_STATE = [
  "UNAUTHORIZED",
  "IDEMPOTENCY_CONFLICT",
  "REBUILD_WITH_NEW_KEY",
  "OFFLINE_RATE_LIMIT",
  "OFFLINE_CAPACITY",
];
/** Steps that explain every response, for a build whose key, input, or bearer is unknown. */
const ANY_KEY_STEP: KeyStep = {
  states: [UNUSED],
  refusals: [],
  mayServe: true,
  mayLimit: true,
  served: "new or replay",
};
const ANY_LIMITER_STEP: LimiterStep = { states: INITIAL_LIMITER_STATES, mayRefuse: true };

/** An exchange that has a response, with the analysis of its request. */
interface AnsweredExchange extends AnalyzedRequest {
  readonly exchange: Exchange;
  readonly at: Interval;
  /** `OK` or a refusal code. */
  readonly code: string;
  /** Allowed outcomes that the model has found so far. */
  readonly allowed: Set<string>;
}

/** Results of judging the response to a build by the session, the key, and the limiter of the build. */
interface BuildSteps {
  readonly creator: string;
  readonly session: SessionStep;
  readonly keysBefore: readonly KeyState[];
  readonly key: KeyStep;
  readonly limiter: LimiterStep;
}

/** All possible states of a service after the events so far. */
export class Belief {
  readonly #origin: Origin;

  /** By challenge ID. */
  challenges = new Map<string, Challenge>();
  /** By bearer. */
  sessions = new Map<string, Session>();
  /** By creator and key, separated by a space. */
  keys = new Map<string, readonly KeyState[]>();
  /** By creator. In an incomplete history, by creator and bearer, separated by a space. */
  limiters = new Map<string, Limiter>();

  worlds: Worlds;
  /** Number of exchanges that the model did not judge because they depend on a forgotten partition. */
  notDecided = 0;
  /** Outcomes that were allowed for the last exchange: `OK` and refusal codes. Empty if it was not judged. */
  allowed: ReadonlySet<string> = new Set();
  #started: Interval;
  #load = new Load();
  #profile: Profile = { termsHash: undefined, reserved: new Set() };
  #firstUses = new Map<string, FirstUses>();
  /** By creator, or "" for an unknown one: the latest proof without a response, which may have opened a session. */
  #lostSignIns = new Map<string, Interval>();
  /** Challenge IDs and bearers that were issued before the last restart. */
  #formerNames = new Set<string>();
  #forgotten = new Set<string>();

  constructor(origin: Origin) {
    this.#origin = origin;
    this.worlds = worldsOf(origin);
    this.#started = origin.started;
  }

  /** Returns a copy that can be stepped independently. Both share the states, which are immutable. */
  clone(): Belief {
    const copy = new Belief(this.#origin);
    copy.challenges = new Map(this.challenges);
    copy.sessions = new Map(this.sessions);
    copy.keys = new Map(this.keys);
    copy.limiters = new Map(this.limiters);
    copy.worlds = this.worlds;
    copy.#started = this.#started;
    copy.#load = this.#load.clone();
    copy.#profile = this.#profile;
    copy.#firstUses = new Map(this.#firstUses);
    copy.#lostSignIns = new Map(this.#lostSignIns);
    copy.#formerNames = new Set(this.#formerNames);
    copy.#forgotten = new Set(this.#forgotten);
    copy.notDecided = this.notDecided;
    return copy;
  }

  /**
   * Keeps the states that explain the event. Returns a violation if no state does. After a violation, the
   * caller must pass the partitions of the event to `forget` before the next step.
   */
  step(event: ServiceEvent): Violation | undefined {
    this.allowed = new Set();
    if (event.kind === "restart") return this.#restart(event.at);
    const isForgotten =
      this.#forgotten.size > 0 && this.partitions(event).some((partition) => this.#forgotten.has(partition));
    if (isForgotten) return this.#skip(event);
    const { exchange, at } = event;
    const { operation, status, body } = exchange;
    const analyzed = analyzeRequest(exchange, { facts: this.#origin.facts, ...this.#profile });
    if (status === undefined) return this.#stepWithoutResponse(exchange, at, analyzed);
    if (analyzed.ambiguous) return this.#stepAmbiguous(exchange, at);
    const code = status === 200 ? "OK" : String(body["code"]);
    const allowed = outcomesOf(analyzed.faults);
    this.allowed = allowed;
    const answered: AnsweredExchange = { ...analyzed, exchange, at, code, allowed };
    switch (operation) {
      case "platform":
        return this.#stepPlatform(answered);
      case "challenge":
        return this.#stepChallengeRequest(answered);
      case "verify":
        return this.#stepVerify(answered);
      case "build":
        return this.#stepBuild(answered);
      default:
        return explainedByRequest(answered);
    }
  }

  /**
   * Returns the partitions that an event depends on or creates. Exchanges without a common partition do not
   * affect each other. A restart has no partitions, although it affects all of them.
   */
  partitions(event: ServiceEvent): readonly string[] {
    if (event.kind === "restart") return [];
    const { operation, request, unknown, status, body, input } = event.exchange;
    const { id, bearer } = status === 200 ? body : {};
    switch (operation) {
      case "challenge":
        return [
          `creator ${textOf(input?.["creator"])}`,
          ...(id === undefined ? [] : [`challenge ${textOf(id)}`]),
        ];
      case "verify":
        return [
          `challenge ${textOf(input?.["id"])}`,
          ...(bearer === undefined ? [] : [`bearer ${textOf(bearer)}`]),
        ];
      case "build": {
        const creator = this.sessions.get(request.bearer ?? "")?.creator ?? textOf(input?.["creator"]);
        return [`creator ${creator}`, ...(unknown?.has("bearer") ? [] : [`bearer ${request.bearer}`])];
      }
      default:
        return [];
    }
  }

  /** Forgets partitions: exchanges that depend on them are not judged any more. */
  forget(partitions: Iterable<string>): void {
    for (const partition of partitions) this.#forgotten.add(partition);
  }

  /**
   * Serializes states, to compare beliefs. Beliefs with equal texts are equal, except for the states that
   * the text omits.
   * @param partitions the partitions whose states the text contains (default: all)
   * @param withLimiters whether the text contains the states of limiters
   */
  digest(partitions?: ReadonlySet<string>, withLimiters = false): string {
    const { limiters, ...worlds } = this.worlds;
    const parts = [JSON.stringify(worlds), JSON.stringify(this.#load.stored)];
    const add = (partition: string, states: readonly object[], name = "") => {
      if (partitions?.has(partition) !== false) parts.push(`${partition} ${name} ${textOfStates(states)}`);
    };
    for (const [id, { states }] of this.challenges) add(`challenge ${id}`, states);
    for (const [bearer, { states }] of this.sessions) add(`bearer ${bearer}`, states);
    for (const [scope, states] of this.keys) add(creatorPartition(scope), states, scope);
    if (withLimiters) {
      parts.push(textOfStates(limiters));
      for (const [owner, { states }] of this.limiters) add(creatorPartition(owner), states, owner);
    }
    return parts.sort().join(";");
  }

  /** Adds the limiter states of another belief. All remaining states of the two beliefs must be equal. */
  addLimiters(other: Belief): void {
    for (const [owner, limiter] of other.limiters) {
      const own = this.limiters.get(owner);
      const states = own === undefined ? limiter.states : mergeStates([...own.states, ...limiter.states]);
      this.limiters.set(owner, { ...limiter, states });
    }
    const limiters = mergeStates([...this.worlds.limiters, ...other.worlds.limiters]);
    this.worlds = { ...this.worlds, limiters };
  }

  /** Counts an exchange as not decided, and forgets the partitions that the exchange may have changed. */
  #skip(event: ExchangeEvent): undefined {
    const { operation, status, input } = event.exchange;
    this.notDecided += 1;
    this.forget(this.partitions(event));
    if (operation === "challenge") this.#load.countRequest(textOf(input?.["creator"]));
    if (operation === "verify") this.#load.countRequest(undefined);
    const store = STORE_OF[operation];
    if (store !== undefined && status === 200) this.#load.stored[store] += 1;
  }

  #restart(at: Interval): undefined {
    for (const name of [...this.challenges.keys(), ...this.sessions.keys()]) this.#formerNames.add(name);
    this.challenges.clear();
    this.sessions.clear();
    this.keys.clear();
    this.#load = new Load();
    this.#started = at;
    for (const [owner, limiter] of this.limiters) this.limiters.set(owner, afterRestart(limiter));
  }

  #stepPlatform(answered: AnsweredExchange): Violation | undefined {
    const { termsHash, platform, feeWallet, withdrawAuthority } = answered.exchange.body;
    const addresses = [platform, feeWallet, withdrawAuthority].map(String);
    this.#profile = {
      termsHash: termsHash ?? this.#profile.termsHash,
      reserved: new Set([...this.#profile.reserved, ...addresses]),
    };
    return explainedByRequest(answered);
  }

  #stepChallengeRequest(answered: AnsweredExchange): Violation | undefined {
    const { exchange, at, fields, code, allowed } = answered;
    const creator = textOf(fields["creator"]);
    this.#allowSignInLimits("challenges", creator, allowed);
    this.#load.countRequest(creator);
    const unexplained = explainedByRequest(answered);
    if (unexplained !== undefined || code !== "OK") return unexplained;
    const id = String(exchange.body["id"]);
    this.challenges.set(id, issuedChallenge(creator, exchange.signed, at, this.worlds.challengeClocks));
    this.#load.stored.challenges += 1;
    return this.#recordUse(creator, "challenge", at);
  }

  #stepVerify(answered: AnsweredExchange): Violation | undefined {
    const { exchange, at, fields, code, allowed } = answered;
    const id = textOf(fields["id"]);
    const known = this.challenges.get(id) ?? this.#unseenChallenge(id);
    const challenge = known && this.#origin.incomplete ? mayHaveBeenUsed(known) : known;
    this.#allowSignInLimits("sessions", challenge?.creator ?? "", allowed);
    this.#load.countRequest(challenge?.creator);
    if (challenge === undefined) return this.#stepUnknownChallenge(answered, id);
    const proof = checkProof(challenge, fields["signatureBase64"], code === "OK");
    applyProof(proof, allowed);
    const verification = { at, code, proof, allowed, clocks: this.worlds.challengeClocks };
    const { states, expected } = stepChallenge(challenge, verification);
    this.allowed = expected;
    if (states.length === 0 && this.#origin.incomplete && code !== "OK") {
      // A restart that the history lacks may have removed the challenge.
      this.challenges.delete(id);
      this.#formerNames.add(id);
      return this.#stepUnknownChallenge(answered, id);
    }
    if (states.length === 0) {
      const place = placeOf(exchange, expected);
      if (code === "EXPIRED_OR_USED_CHALLENGE")
        return violationOf("an unused challenge can be used for 60 s", place);
      return unexplained(answered, place, acceptedWrongly(challenge, proof));
    }
    this.worlds = { ...this.worlds, challengeClocks: clocksOfStates(states) };
    const isUsedByProof = code === "INVALID_PROOF" && proof === "invalid";
    const usedBy = code === "OK" ? "session" : isUsedByProof ? "invalid proof" : challenge.usedBy;
    this.challenges.set(id, { ...challenge, usedBy, states });
    return code === "OK" ? this.#openSession(challenge.creator, exchange, at) : undefined;
  }

  #stepUnknownChallenge(answered: AnsweredExchange, id: string): Violation | undefined {
    const { exchange, at, faults, code, allowed } = answered;
    const outcomes = outcomesOfUnknownChallenge(allowed, firstCertainFault(faults) !== undefined);
    this.allowed = outcomes;
    // The challenge is not unknown if the history does not show its ID.
    if (outcomes.has(code)) return code === "OK" ? this.#openSession(undefined, exchange, at) : undefined;
    const isFormer = this.#formerNames.has(id);
    return unexplained(
      answered,
      placeOf(exchange, outcomes),
      isFormer
        ? "a challenge that was issued before a restart opens no session"
        : "an ID that the service never issued opens no session",
    );
  }

  /**
   * Adds a session. A service may give several sessions of one creator the same bearer.
   * @param shownCreator undefined if the history does not show the creator of the challenge
   */
  #openSession(shownCreator: string | undefined, exchange: Exchange, at: Interval): undefined {
    const bearer = textOf(exchange.body["bearer"]);
    const earlier = this.sessions.get(bearer);
    const creator = shownCreator ?? earlier?.creator;
    if (earlier !== undefined) this.worlds = { ...this.worlds, renewsBearers: true };
    const opened = { opened: at, clocks: this.worlds.sessionClocks };
    this.sessions.set(bearer, { creator, states: [...(earlier?.states ?? []), opened] });
    this.#load.stored.sessions += 1;
    return this.#recordUse(creator ?? "", "session", at);
  }

  #stepBuild(answered: AnsweredExchange): Violation | undefined {
    const { exchange, at, fields, input, normalizedInput, code, allowed } = answered;
    const { request, unknown } = exchange;
    const { incomplete } = this.#origin;

    // 1. Does the session explain the response?
    const { bearer, isExact } = this.#findBearer(request.bearer ?? "");
    const isBearerKnown = unknown?.has("bearer") !== true;
    const session =
      (isBearerKnown && this.#knownSession(bearer, at)) || this.#unseenSession(bearer, at, isBearerKnown);
    const namedCreator = typeof fields["creator"] === "string" ? fields["creator"] : undefined;
    const creator = session?.creator ?? namedCreator ?? "";
    const mayBeOwnLimit = code === "OFFLINE_RATE_LIMIT" && this.#load.mayLimitBuilds(creator, at.earliest);
    const scope = `${creator} ${request.idempotencyKey}`;
    const knownKeys = request.idempotencyKey === undefined ? undefined : this.keys.get(scope);
    const hasDraft = knownKeys?.every(({ is }) => is === "drafted") === true;
    this.#load.countBuild(creator, code !== "OK" && !hasDraft, at.earliest);
    const shownCode = isExact ? code : undefined;
    const sessionStep = stepSession(session, at, shownCode, this.worlds.sessionClocks, incomplete);
    if (sessionStep.mayBeExpired || !isExact) allowed.add("UNAUTHORIZED");
    if (!sessionStep.mayBeLive) allowed.delete("OK");
    applyCreatorBinding(session, sessionStep, namedCreator, allowed);
    if (unknown !== undefined) {
      // The unknown part can explain each of these refusals. An incomplete history may lack the new states.
      for (const refusal of REFUSALS_OF_STATE) allowed.add(refusal);
      const steps = {
        creator,
        session: sessionStep,
        keysBefore: [],
        key: ANY_KEY_STEP,
        limiter: ANY_LIMITER_STEP,
      };
      if (!allowed.has(code)) return this.#violatedByBuild(answered, bearer, steps);
      if (isBearerKnown && session !== undefined) this.#keepSession(bearer, session, sessionStep, undefined);
      return undefined;
    }

    // 2. Does the idempotency key explain it?
    const keysBefore = knownKeys ?? [UNUSED];
    const isRefusedAnyway = !allowed.has("OK");
    const mayBeFull = this.#mayBeFull("drafts");
    const build: Build = {
      ...{ at, bearer, code, input, normalizedInput, isRefusedAnyway, mayBeFull, incomplete },
      draft: code === "OK" ? digestOfDraft(exchange.body) : "",
      ...{ clocks: this.worlds.draftClocks, lingering: this.worlds.lingering },
    };
    const keyStep = stepKey(keysBefore, build);
    // A limit on all build requests may be the cause. The refusal then shows nothing about key and limiter.
    const key = mayBeOwnLimit
      ? { ...keyStep, states: distinct([...keyStep.states, ...keysBefore]) }
      : keyStep;
    for (const refusal of key.refusals) allowed.add(refusal);
    if (!key.mayServe) allowed.delete("OK");

    // 3. Does the limiter explain it? An incomplete history may lack restarts. No restart lies between two
    // builds of one session, so the model then has a limiter for each bearer.
    const owner = incomplete ? `${creator} ${bearer}` : creator;
    const limiter = this.#limiterOf(owner, at);
    const hasSession = sessionStep.mayBeLive && code !== "UNAUTHORIZED";
    const served = incomplete && knownKeys === undefined ? "new" : key.served;
    const limiterInput = code === "OK" ? served : refusalKind(code, firstCertainFault(answered.faults)?.name);
    const limiterStep = limiter.isBounded
      ? stepBounds(limiter.states, at, limiterInput)
      : stepLimiter(limiter, at, limiterInput, hasSession, this.worlds.limiters);
    const limiterStates = mayBeOwnLimit ? INITIAL_LIMITER_STATES : limiterStep.states;
    const mayLimit = isRefusedAnyway || key.mayLimit;
    if ((limiterStep.mayRefuse && mayLimit) || mayBeOwnLimit) allowed.add("OFFLINE_RATE_LIMIT");
    if (mayBeFull && mayLimit) allowed.add("OFFLINE_CAPACITY");

    // 4. Report a response that the session, the key, or the limiter does not explain.
    const steps = { creator, session: sessionStep, keysBefore, key, limiter: limiterStep };
    if (!allowed.has(code) || key.states.length === 0 || limiterStates.length === 0)
      return this.#violatedByBuild(answered, bearer, steps);

    // 5. Keep the states that explain the response.
    if (session !== undefined)
      this.#keepSession(bearer, session, sessionStep, code === "OK" ? creator : undefined);
    if (!hasSession) return undefined;
    if (request.idempotencyKey !== undefined) this.keys.set(scope, key.states);
    this.#learnDraftClock(key.states, code, at);
    const isBounded = limiter.isBounded || mayBeOwnLimit;
    this.limiters.set(owner, { ...limiter, isBounded, states: limiterStates });
    if (isTooLarge(limiterStates) || key.states.length > MAX_KEY_STATES)
      this.forget([`creator ${creator}`, `bearer ${bearer}`]);
    else if (!isBounded) this.worlds = { ...this.worlds, limiters: withoutTimes(limiterStates) };
    if (code !== "OK" || key.served === "replay") return undefined;
    this.#load.stored.drafts += 1;
    return this.#recordUse(creator, "build", at);
  }

  /** @param creator creator that the response shows, if it does */
  #keepSession(bearer: string, session: Session, { states }: SessionStep, creator: string | undefined): void {
    if (states.length === 0) return;
    this.worlds = { ...this.worlds, sessionClocks: clocksOfStates(states) };
    this.sessions.set(bearer, { creator: creator ?? session.creator, states });
  }

  /** Returns the violation for a build response that the session, the key or the limiter does not explain. */
  #violatedByBuild(answered: AnsweredExchange, bearer: string, steps: BuildSteps): Violation {
    const { exchange, fields, faults, code, allowed } = answered;
    const { creator, session, key, keysBefore, limiter } = steps;
    const place = placeOf(exchange, allowed);
    if (code === "UNAUTHORIZED") {
      const isUsed = [...this.keys.values()].some((states) =>
        states.some((state) => state.is === "drafted" && state.bearer === bearer),
      );
      const statement = isUsed
        ? "a session stays valid after its first use"
        : "a session can be used for an hour";
      return violationOf(statement, place);
    }
    if (code === "OFFLINE_RATE_LIMIT")
      return key.mayLimit
        ? violationOf("a new build within the limit succeeds", place)
        : violationOf("a retry does not count as a new build", place);
    if (code !== "OK") {
      const isRetry = key.mayServe && (code === "IDEMPOTENCY_CONFLICT" || code === "REBUILD_WITH_NEW_KEY");
      const isDrafted = keysBefore.every(({ is }) => is === "drafted");
      return isRetry && isDrafted
        ? violationOf("a retry within 30 s gets the draft", place)
        : refusalUnexplained(code, place);
    }
    if (!session.mayBeLive) return this.#violatedBySession(bearer, place);
    const fault = firstCertainFault(faults);
    if (fault !== undefined) return faultAccepted(fault, place);
    if (fields["creator"] !== creator)
      return violationOf("a build for a creator other than the session's is refused", place);
    if (key.mayServe && key.states.length > 0 && limiter.states.length === 0) {
      const expected = ["OFFLINE_RATE_LIMIT", ...[...allowed].filter((outcome) => outcome !== "OK")];
      return violationOf("a creator gets no more new builds than the limit", { ...place, expected });
    }
    if (key.mayServe) return violationOf("a retry gets the same draft", { ...place, isOtherDraft: true });
    const [before] = keysBefore;
    const changed =
      before === undefined || before.is === "unused" ? [] : changedFields(before.input, answered.input);
    return changed.length > 0
      ? conflictMissed(changed, place)
      : violationOf("an expired draft is not returned", place);
  }

  #violatedBySession(bearer: string, place: ViolationPlace): Violation {
    if (this.sessions.has(bearer)) return violationOf("an expired session is refused", place);
    if (this.#formerNames.has(bearer))
      return violationOf("a bearer that was issued before a restart is refused", place);
    if (bearer === "") return violationOf("a build without a bearer is refused", place);
    return violationOf("an unknown bearer is refused", place);
  }

  /** Removes outer spaces and a second "Bearer" prefix from a bearer, if the rest is a session's bearer. */
  #findBearer(exact: string): { readonly bearer: string; readonly isExact: boolean } {
    const bare = exact.trim().replace(/^bearer\s+/i, "");
    const isBare = !this.sessions.has(exact) && this.sessions.has(bare);
    return { bearer: isBare ? bare : exact, isExact: !isBare };
  }

  #unseenChallenge(id: string): Challenge | undefined {
    if (!this.#origin.incomplete || this.#formerNames.has(id) || !CHALLENGE_ID.test(id)) return undefined;
    return unseenChallenge(this.worlds.challengeClocks);
  }

  /**
   * Returns the session of a bearer. A sign-in without a response may have got the same bearer. If the
   * service renews bearers, so may a sign-in that the history lacks.
   */
  #knownSession(bearer: string, at: Interval): Session | undefined {
    const session = this.sessions.get(bearer);
    if (session === undefined) return undefined;
    if (this.#origin.incomplete && this.worlds.renewsBearers) {
      const renewed = session.states.map(({ opened, clocks }) => ({
        opened: { ...opened, latest: at.latest },
        clocks,
      }));
      return { ...session, states: renewed };
    }
    const lost = [session.creator ?? "", ""].flatMap((creator) => this.#lostSignIns.get(creator) ?? []);
    const further = lost.filter((lostAt) => !session.states.some(({ opened }) => opened === lostAt));
    const states = further.map((opened) => ({ opened, clocks: this.worlds.sessionClocks }));
    return { ...session, states: [...session.states, ...states] };
  }

  #unseenSession(bearer: string, at: Interval, isBearerKnown: boolean): Session | undefined {
    const isFormer = this.#formerNames.has(bearer) || bearer === "";
    if (!this.#origin.incomplete || (isBearerKnown && isFormer)) return undefined;
    const opened = { earliest: Number.NEGATIVE_INFINITY, latest: at.latest };
    return { creator: undefined, states: [{ opened, clocks: this.worlds.sessionClocks }] };
  }

  #limiterOf(owner: string, at: Interval): Limiter {
    const anchors = { epoch: 0, serviceStart: this.#started.earliest, challenge: at.earliest };
    const known = this.limiters.get(owner) ?? { anchors, states: this.worlds.limiters, isBounded: false };
    // Without the exact times of all builds, the model can check only bounds.
    const isBounded = known.isBounded || this.#origin.incomplete || at.earliest !== at.latest;
    return {
      anchors: { ...known.anchors, ...this.#firstUses.get(owner) },
      states: isBounded && !known.isBounded ? INITIAL_LIMITER_STATES : known.states,
      isBounded,
    };
  }

  /** Restricts draft clocks to those of a key's states, if each has a draft and the history is complete. */
  #learnDraftClock(states: readonly KeyState[], code: string, at: Interval): void {
    const drafted = states.filter((state) => state.is === "drafted");
    if (this.#origin.incomplete || drafted.length === 0 || drafted.length < states.length) return;
    const draftClocks = clocksOfStates(drafted);
    const agesMs = drafted.map(({ built }) => at.latest - built.earliest);
    const lingering = narrowLingering(this.worlds.lingering, code, agesMs);
    const mayLinger = draftClocks.length === 1 || isPossible(lingering);
    this.worlds = {
      ...this.worlds,
      draftClocks: mayLinger ? draftClocks : draftClocks.filter((clock) => clock !== LINGERING),
      lingering,
    };
  }

  #mayBeFull(store: Store): boolean {
    return this.#origin.incomplete || this.#load.mayBeFull(store, this.#origin.facts.capacity ?? {});
  }

  #allowSignInLimits(store: Store, creator: string, allowed: Set<string>): void {
    const mayLimit = this.#origin.incomplete || this.#load.mayLimitSignIn(creator);
    if (mayLimit || this.#mayBeFull(store)) allowed.add("OFFLINE_CAPACITY");
    if (mayLimit) allowed.add("OFFLINE_RATE_LIMIT");
  }

  #recordUse(creator: string, operation: keyof FirstUses, { earliest }: Interval): undefined {
    const known = this.#firstUses.get(creator) ?? {};
    this.#firstUses.set(creator, withFirstUse(known, operation, earliest));
  }

  /** Adds the challenge or session that an ambiguous request created. Its creator is unknown. */
  #stepAmbiguous(exchange: Exchange, at: Interval): undefined {
    const { operation, status, body } = exchange;
    if (status !== 200) return;
    const { challengeClocks } = this.worlds;
    if (operation === "challenge") this.challenges.set(textOf(body["id"]), unseenChallenge(challengeClocks));
    if (operation === "verify") this.#openSession(undefined, exchange, at);
  }

  /** Keeps the states of both cases: the service handled the request, or it did not. */
  #stepWithoutResponse(exchange: Exchange, at: Interval, analyzed: AnalyzedRequest): undefined {
    const { operation, request, unknown } = exchange;
    const { fields, input, normalizedInput } = analyzed;
    const id = textOf(fields["id"]);
    const challenge = this.challenges.get(id);
    if (operation === "verify") this.#lostSignIns.set(challenge?.creator ?? "", at);
    // A history with unknown parts is incomplete, and may lack the exchange.
    if (unknown !== undefined) return;
    if (operation === "verify" && challenge !== undefined)
      this.challenges.set(id, mayHaveBeenUsed(challenge));
    if (operation !== "build" || request.idempotencyKey === undefined) return;
    const bearer = request.bearer ?? "";
    const creator = this.sessions.get(bearer)?.creator ?? textOf(fields["creator"]);
    const scope = `${creator} ${request.idempotencyKey}`;
    const built = { earliest: at.earliest, latest: Number.POSITIVE_INFINITY };
    const build = { input, normalizedInput, built, bearer };
    this.keys.set(scope, mayHaveBuilt(this.keys.get(scope) ?? [UNUSED], build, this.worlds.draftClocks));
  }
}

/** Judges a response by the request alone. */
function explainedByRequest(answered: AnsweredExchange): Violation | undefined {
  const { exchange, code, allowed } = answered;
  if (allowed.has(code)) return undefined;
  return unexplained(answered, placeOf(exchange, allowed));
}

/** @param statement requirement that a success violates, if the request has no fault */
function unexplained(
  { faults, code }: AnsweredExchange,
  place: ViolationPlace,
  statement?: Statement,
): Violation {
  if (code !== "OK") return refusalUnexplained(code, place);
  const fault = firstCertainFault(faults);
  if (fault !== undefined) return faultAccepted(fault, place);
  return statement === undefined ? refusalUnexplained(code, place) : violationOf(statement, place);
}

function placeOf(exchange: Exchange, expected: Iterable<string>): ViolationPlace {
  return { exchange, expected: [...expected] };
}

/** @param name name of a key or limiter, which starts with its creator */
function creatorPartition(name: string): string {
  return `creator ${name.split(" ", 1)}`;
}

/** By body of a draft: the digest. The model can judge the same response in several orders. */
const digests = new WeakMap<JsonObject, string>();

/** Returns a digest of the draft's members that a retry must return unchanged (rule IDEMPOTENCY-5). */
function digestOfDraft(body: JsonObject): string {
  const digest = digests.get(body) ?? hash("sha1", canonicalJson(namedMembersOf("build", body)), "base64");
  digests.set(body, digest);
  return digest;
}

/** Serializes a JSON value with the members of each object sorted by name. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)}}`;
}

/** Texts of lists of states, which never change. */
const texts = new WeakMap<readonly object[], string>();

function textOfStates(states: readonly object[]): string {
  const known = texts.get(states);
  if (known !== undefined) return known;
  const text = states.map(textOfState).sort().join();
  texts.set(states, text);
  return text;
}

function textOfState(state: object): string {
  return JSON.stringify(state, (_, member: unknown) =>
    typeof member === "bigint" ? String(member) : member,
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
