/** Rules about retries of a client: under which key, how soon, and how often. */
import { isDeepStrictEqual } from "node:util";
import { show } from "../../adapters/json.ts";
import { OUTCOMES } from "../../contract/constants.ts";
import { matchesOutcome, type Outcome } from "../../contract/outcome.ts";
import { BODY_FIELDS } from "../../contract/refusals.ts";
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
} from "../history.ts";
import { type RuleTable, received, requests, requestsOf } from "./rule.ts";

/** Maximum number of conflicts under one key. A client must then stop sending the same build. */
const MAX_CONFLICTS = 10;

/** Minimum wait after 429. It is scaled like the waits of the client. */
const MIN_WAIT_MS = 10;
/** Lower bound of the scaled minimum. */
const MIN_SCALED_WAIT_MS = 5;
/** Minimum fraction of waits that are short in a violation, or clear in a valid test. Waits can be random. */
const MIN_FRACTION = 0.8;
/** Number of waits that are needed for a violation. A launch may send its first retry at once. */
const MIN_WAITS = { all: 3, afterFirst: 4 };
/** A wait is clear if it is longer than the client's usual turnaround time, multiplied by this factor. */
const CLEAR_FACTOR = 3;

export const RETRY_RULES: RuleTable = {
  // A challenge is used after a proof that gets 200, or 401 with any code.
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
    "after 401 for the bearer: open a new session, or end the launch",
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
    received("401 to a build", (one) => one.operation === "build" && hasStatus(one, 401)),
  ),
  // A draft may exist if a build got 200, or if the client does not know the outcome of a build.
  "RETRY-1": requestsOf("build", "unchanged input under a key with a possible draft", (build, history) => {
    const mayHaveDraft = earlierBuildsUnderKey(build, history).filter(
      (earlier) => hasStatus(earlier, 200) || hasUnknownOutcome(earlier) || !isAnsweredBefore(earlier, build),
    );
    const isWrong = mayHaveDraft.some((earlier) => !haveSameInput(earlier, build));
    return isWrong && `changed input under the key ${show(build.request.idempotencyKey)}`;
  }),
  // Compares a build with the previous build, if the outcome of the previous build is unknown.
  "RETRY-2": requestsOf(
    "build",
    "the same key when the same build is sent again after a lost response or a 500",
    (build, history) => {
      const last = exchangesOf("build", history).findLast(
        (earlier) =>
          earlier.sentIndex < build.sentIndex &&
          (earlier.status === undefined || isAnsweredBefore(earlier, build)),
      );
      if (last === undefined || !hasUnknownOutcome(last) || !areOfSameLaunch(last, build)) return undefined;
      const isOtherKey = last.request.idempotencyKey !== build.request.idempotencyKey;
      return haveSameInput(last, build) && isOtherKey && "the same build under another key";
    },
  ),
  "RETRY-3": requestsOf(
    "build",
    "no further build under a key that got REBUILD_WITH_NEW_KEY",
    (build, history) =>
      knownOutcomesUnderKey(build, history, OUTCOMES.rebuild).length > 0 &&
      `another build under the key ${show(build.request.idempotencyKey)}`,
    received("REBUILD_WITH_NEW_KEY", (one) => matchesOutcome(one, OUTCOMES.rebuild)),
  ),
  // A build ignores a conflict if it has new input, or if it repeats the conflict too often.
  "RETRY-4": requestsOf(
    "build",
    "after a conflict: send the earlier input again, use another key, or end the launch",
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
    "after 400 or 413: change the request, or end the launch",
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
  // Has at most one violation, because only several waits together show it.
  "LIMIT-1": {
    expected: "a wait after 429 before the same request is sent again",
    testedBy: {
      /**
       * Whether the client clearly waited before its retries, or sent no retry at all. The trial shows
       * nothing if the machine or the client is so slow that retries come no later than other requests.
       */
      isMet: (history) => {
        const waits = waitsAfter429(history);
        const clearMs = minWaitOf(history) + CLEAR_FACTOR * usualTurnaroundMs(history);
        const isClear = seriesOf(waits).some((series) => areMost(series, ({ ms }) => ms >= clearMs));
        const isRefused = history.exchanges.some((exchange) => hasStatus(exchange, 429));
        return isRefused && (waits.length === 0 || isClear);
      },
      otherwise:
        "after 429, the client sent fewer than three retries with a measurable wait, and did not end the launch",
    },
    check: (history) => {
      const isShort = ({ ms }: Wait) => ms < minWaitOf(history);
      const waits = seriesOf(waitsAfter429(history)).find((series) => areMost(series, isShort)) ?? [];
      const short = waits.filter(isShort);
      const got = `${short.length} of ${waits.length} retries without a wait`;
      return short.slice(0, 1).map(({ retry }) => ({ exchange: retry, got }));
    },
  },
};

/** Returns whether the launch of a request signs in later. True if its launch is not certain. */
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
  /** Whether the launch got no 429 for the same operation before. */
  readonly isFirst: boolean;
}

function waitsAfter429({ exchanges }: History): readonly Wait[] {
  const refusals = exchanges.filter((exchange) => hasStatus(exchange, 429));
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

function areMost(waits: readonly Wait[], isMatch: (wait: Wait) => boolean): boolean {
  return waits.filter(isMatch).length >= waits.length * MIN_FRACTION;
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

/** Returns the earlier builds with the same key that had this outcome, if it was known before the build. */
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
