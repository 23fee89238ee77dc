/** Rules about retries of a client: under which key, how soon, and how often. */
import { isDeepStrictEqual } from "node:util";
import { OUTCOMES } from "../../contract/constants.ts";
import { matchesOutcome, type Outcome } from "../../contract/outcome.ts";
import { BODY_FIELDS } from "../../contract/refusals.ts";
import { show } from "../../data/json.ts";
import {
  answeredBefore,
  areOfSameLaunch,
  type ClientExchange,
  exchangesOf,
  type History,
  hasStatus,
  hasUnknownOutcome,
  haveSameInput,
  isAnsweredBefore,
  isKnownBefore,
  isOfGateway,
} from "../history.ts";
import { type RuleTable, type RuleTest, received, requests, requestsOf } from "./rule.ts";

/** Maximum number of conflicts under one key. A client must then stop sending the same build. */
const MAX_CONFLICTS = 10;

/** Minimum wait after 429. It is scaled like the waits of the client. */
const MIN_WAIT_MS = 10;
/** Lower bound of the scaled minimum. */
const MIN_SCALED_WAIT_MS = 5;
/** A wait that is shorter than this multiple of the client's usual turnaround time is short ... */
const SHORT_FACTOR = 2;
/** ... but never a longer one than this. It is scaled like the waits of the client. */
const MAX_SHORT_WAIT_MS = 48;
/** Fraction of waits that must be short for a violation, or clear for a valid test. Waits can be random. */
const MIN_FRACTION = 0.8;
/** Fraction of short waits from which the load of the machine may hide a violation. */
const MIN_UNCLEAR_FRACTION = 0.6;
/** Minimum number of waits to judge. `afterFirst` excludes each launch's first wait, which may be short. */
const MIN_WAITS = { all: 3, afterFirst: 4 };
/** A wait is clear if it exceeds the minimum wait by this multiple of the client's usual turnaround time. */
const CLEAR_FACTOR = 3;

export const RETRY_RULES: RuleTable = {
  // A challenge counts as used or expired after a 200 or a 401 to an earlier proof.
  "PROOF-4": requestsOf("verify", "no proof for a challenge that is used or expired", (proof, history) => {
    const { id } = proof.fields;
    const isUsed = answeredBefore(proof, "verify", history).some(
      (earlier) => earlier.fields["id"] === id && hasStatus(earlier, 200, 401),
    );
    return isUsed && typeof id === "string" && `another proof for the challenge ${show(id)}`;
  }),
  // A later launch may send a refused bearer once, if it then signs in again.
  "SESSION-3": requestsOf(
    "build",
    "a new session, or the end of the launch, after a 401 for the bearer",
    (build, history) => {
      const { bearer } = build.request;
      const refusals = answeredBefore(build, "build", history).filter(
        (earlier) => earlier.request.bearer === bearer && hasStatus(earlier, 401),
      );
      if (bearer === undefined || refusals.length === 0) return undefined;
      const isKnown = refusals.some((refusal) => areOfSameLaunch(refusal, build));
      const isWrong = isKnown || (hasStatus(build, 401) && !signsInAfter(build, history));
      return isWrong && `another build with the bearer ${show(bearer)}`;
    },
    received("401 response to a build", (one) => one.operation === "build" && hasStatus(one, 401)),
  ),
  // A draft may exist if a build got 200, or if the client does not know the outcome of a build.
  "RETRY-1": requestsOf(
    "build",
    "the input of the earlier build under this key, because that build may have created a draft",
    (build, history) => {
      const mayHaveDraft = earlierBuildsUnderKey(build, history).filter(
        (earlier) =>
          hasStatus(earlier, 200) || hasUnknownOutcome(earlier) || !isAnsweredBefore(earlier, build),
      );
      const isWrong = mayHaveDraft.some((earlier) => !haveSameInput(earlier, build));
      return isWrong && `changed input under the key ${show(build.request.idempotencyKey)}`;
    },
  ),
  // Compares a build with the previous build, if the outcome of the previous build is unknown.
  "RETRY-2": requestsOf(
    "build",
    "the same key for the retry of a build that got no response, or a 5xx status",
    (build, history) => {
      const last = exchangesOf("build", history).findLast(
        (earlier) =>
          earlier.sentIndex < build.sentIndex &&
          (earlier.status === undefined || isAnsweredBefore(earlier, build)),
      );
      if (last === undefined || !hasUnknownOutcome(last) || !areOfSameLaunch(last, build)) return undefined;
      const isOtherKey = last.request.idempotencyKey !== build.request.idempotencyKey;
      return haveSameInput(last, build) && isOtherKey && "a retry under another key";
    },
  ),
  // The table of errors allows a retry with the same input, so one refusal may be followed by a repeat.
  "RETRY-3": afterRebuild("at most one repeat under a key that got REBUILD_WITH_NEW_KEY", 2),
  "RETRY-5": afterRebuild("no further build under a key that got REBUILD_WITH_NEW_KEY", 1),
  // A build ignores a conflict if it has new input, or if it repeats the conflict too often.
  "RETRY-4": requestsOf(
    "build",
    "earlier input of this key, another key, or the end of the launch, after a conflict",
    (build, history) => {
      const { length } = knownOutcomesUnderKey(build, history, OUTCOMES.conflict);
      const isNew = !earlierBuildsUnderKey(build, history).some((one) => haveSameInput(one, build));
      if (length > 0 && isNew) return "input that was not sent under this key before";
      return length > MAX_CONFLICTS && `${length} conflicts under one key`;
    },
    received("IDEMPOTENCY_CONFLICT", (one) => matchesOutcome(one, OUTCOMES.conflict)),
  ),
  "INPUT-1": requests(
    received("400 or 413", (one) => hasStatus(one, 400, 413)),
    "a changed request, or the end of the launch, after 400 or 413",
    (request, { exchanges }) => {
      const refusal = exchanges.find(
        (earlier) =>
          request.operation in BODY_FIELDS &&
          earlier.operation === request.operation &&
          hasStatus(earlier, 400, 413) &&
          haveSameBody(earlier, request) &&
          isKnownBefore(earlier, request),
      );
      return refusal && `the same request that got ${refusal.status} before`;
    },
  ),
  "LIMIT-1": waitingAfter("a wait before the retry of a request that got 429", (one) => hasStatus(one, 429)),
  "LIMIT-3": waitingAfter(
    "a wait before the retry of a request that got 429 from a gateway",
    (one) => isOfGateway(one) && one.status === 429,
  ),
};

/** Returns the test of a rule about waits. A violation needs several short waits, so it reports at most one. */
function waitingAfter(expected: string, isRefusal: (exchange: ClientExchange) => boolean): RuleTest {
  return {
    expected,
    testedBy: {
      /**
       * Whether the client clearly waited before its retries, or sent no retry at all. The trial shows
       * nothing if the machine or the client is so slow that a wait cannot be measured.
       */
      isMet: (history) => {
        const waits = waitsAfter(isRefusal, history);
        const clearMs = minWaitOf(history) + CLEAR_FACTOR * usualTurnaroundMs(history);
        const isClear = seriesOf(waits).some((series) => areMost(series, ({ ms }) => ms >= clearMs));
        return history.exchanges.some(isRefusal) && (waits.length === 0 || isClear);
      },
      otherwise: "the client got no 429, or its waits before retries were too few or too short to judge",
    },
    check: (history) => {
      const isShort = shortnessIn(history);
      const waits = seriesOf(waitsAfter(isRefusal, history)).find((series) => areMost(series, isShort)) ?? [];
      const short = waits.filter(isShort);
      const got = `${short.length} of ${waits.length} retries without a wait`;
      return short.slice(0, 1).map(({ retry }) => ({ exchange: retry, got }));
    },
  };
}

/** Returns the test of a rule about builds under a key after `maxCount` responses REBUILD_WITH_NEW_KEY. */
function afterRebuild(expected: string, maxCount: number): RuleTest {
  return requestsOf(
    "build",
    expected,
    (build, history) => {
      const { length } = knownOutcomesUnderKey(build, history, OUTCOMES.rebuild);
      return length >= maxCount && `another build under the key ${show(build.request.idempotencyKey)}`;
    },
    received("REBUILD_WITH_NEW_KEY", (one) => matchesOutcome(one, OUTCOMES.rebuild)),
  );
}

/** Returns whether a request's launch signs in later. True if several launches may have sent the request. */
function signsInAfter(request: ClientExchange, history: History): boolean {
  if (request.launches.length > 1) return true;
  return exchangesOf("challenge", history).some(
    (later) => later.sentIndex > request.sentIndex && areOfSameLaunch(later, request),
  );
}

interface Wait {
  readonly retry: ClientExchange;
  /**
   * Time on the client's clock between the release of the response and the arrival of the retry, in ms. It is
   * never shorter than the wait of the client, so a busy machine makes no wait look too short.
   */
  readonly ms: number;
  /** Whether the refusal is the first one of the launch for this operation. */
  readonly isFirst: boolean;
}

function waitsAfter(
  isRefusal: (exchange: ClientExchange) => boolean,
  { exchanges }: History,
): readonly Wait[] {
  const refusals = exchanges.filter(isRefusal);
  return refusals.flatMap((refusal) => {
    const isAlike = ({ operation }: ClientExchange) => operation === refusal.operation;
    const retry = exchanges.find((later) => isAlike(later) && isKnownBefore(refusal, later));
    if (retry === undefined) return [];
    const isFirst = !refusals.some((earlier) => isAlike(earlier) && isKnownBefore(earlier, refusal));
    return [{ retry, ms: retry.atMs - refusal.answeredAtMs, isFirst }];
  });
}

/** Returns the series with enough waits to judge: all waits, and all but the first wait of each launch. */
function seriesOf(waits: readonly Wait[]): readonly (readonly Wait[])[] {
  const afterFirst = waits.filter(({ isFirst }) => !isFirst);
  return [
    ...(waits.length >= MIN_WAITS.all ? [waits] : []),
    ...(afterFirst.length >= MIN_WAITS.afterFirst ? [afterFirst] : []),
  ];
}

function areMost(
  waits: readonly Wait[],
  isMatch: (wait: Wait) => boolean,
  minFraction: number = MIN_FRACTION,
): boolean {
  return waits.filter(isMatch).length >= waits.length * minFraction;
}

/** Returns a function that checks whether a wait is short: no longer than the client needs between two requests. */
function shortnessIn(history: History): (wait: Wait) => boolean {
  const turnaroundMs = SHORT_FACTOR * usualTurnaroundMs(history);
  const maxMs = Math.min(turnaroundMs, MAX_SHORT_WAIT_MS * history.waitScale);
  return ({ ms }) => ms < Math.max(minWaitOf(history), maxMs);
}

/** Returns whether many waits in a history are short, but too few for a violation. Latency can be the cause. */
export function hasUnclearWaits(history: History): boolean {
  const isShort = shortnessIn(history);
  const series = seriesOf(waitsAfter(({ status }) => status === 429, history));
  const isAnyShort = (minFraction: number) => series.some((waits) => areMost(waits, isShort, minFraction));
  return isAnyShort(MIN_UNCLEAR_FRACTION) && !isAnyShort(MIN_FRACTION);
}

function minWaitOf({ waitScale }: History): number {
  return Math.max(MIN_SCALED_WAIT_MS, MIN_WAIT_MS * waitScale);
}

/** Returns the median time between a success and the next request of the same launch, in ms. */
function usualTurnaroundMs({ exchanges }: History): number {
  const turnarounds = exchanges.flatMap((exchange) => {
    const next = exchanges.find((later) => later.sentIndex === exchange.answeredIndex + 1);
    const isUsual = next !== undefined && hasStatus(exchange, 200) && areOfSameLaunch(exchange, next);
    return isUsual ? [next.atMs - exchange.answeredAtMs] : [];
  });
  return turnarounds.sort((one, other) => one - other)[turnarounds.length >> 1] ?? 0;
}

/** Returns the builds of the same launch and key that got this outcome before `build` was sent. */
function knownOutcomesUnderKey(build: ClientExchange, history: History, outcome: Outcome) {
  return earlierBuildsUnderKey(build, history).filter(
    (earlier) => matchesOutcome(earlier, outcome) && isKnownBefore(earlier, build),
  );
}

/** Returns the earlier builds of the same creator with the same key. */
function earlierBuildsUnderKey(build: ClientExchange, history: History): readonly ClientExchange[] {
  const { idempotencyKey } = build.request;
  if (idempotencyKey === undefined) return [];
  return exchangesOf("build", history).filter(
    (earlier) =>
      earlier.sentIndex < build.sentIndex &&
      earlier.request.idempotencyKey === idempotencyKey &&
      earlier.fields["creator"] === build.fields["creator"],
  );
}

function haveSameBody(first: ClientExchange, second: ClientExchange): boolean {
  if (first.input !== undefined && second.input !== undefined)
    return isDeepStrictEqual(first.input, second.input);
  return first.request.bytes.equals(second.request.bytes);
}
