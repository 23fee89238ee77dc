import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { compareInputs, launchInput } from "../../model/launch-input.ts";
import { OUTCOMES } from "../../operations.ts";
import {
  type Asked,
  answerInWords,
  type ClientReading,
  gotAnswer,
  leftAlone,
  sameLaunch,
  surelyTold,
  wasAnswered,
  wasTold,
} from "./client-reading.ts";
import { brokenBy, ordinalOf, requestName } from "./found.ts";

/** Maximum number of retries of the same input under the same key after conflicts, in one launch. */
const MOST_CONFLICTS = 10;

/** Judges which key goes with which input (contract, "States and transitions", Draft, and "Errors"). */
export function judgeRetries(reading: ClientReading): readonly Violation[] {
  const builds = reading.asked.filter(
    ({ operation, key, creator }) => operation === "build" && key !== undefined && creator !== undefined,
  );
  return builds.flatMap((one) => {
    const earlier = builds.filter(
      (other) => other.turn.index < one.turn.index && other.creator === one.creator,
    );
    const underKey = earlier.filter(({ key }) => key === one.key);
    return [
      ...judgeKeyReuse(one, underKey),
      ...judgeRebuild(one, underKey),
      ...judgeConflict(one, underKey),
      ...judgeNewKey(one, earlier),
    ];
  });
}

/** Whether two builds hold the same five values. */
export function sameInput(one: Asked, other: Asked): boolean {
  return compareInputs(launchInput(one.body.members), launchInput(other.body.members)).sameness === "same";
}

/** Whether a build may have left a draft under its key: it was served, or the client does not know that it was not. */
function mayStandFor(build: Asked, later: Asked): boolean {
  return build.status === 200 || leftAlone(build) || !wasAnswered(build, later);
}

function judgeKeyReuse(asked: Asked, underKey: readonly Asked[]): readonly Violation[] {
  const other = underKey.find((one) => mayStandFor(one, asked) && !sameInput(one, asked));
  if (other === undefined) return [];
  const [before, now] = [launchInput(other.body.members), launchInput(asked.body.members)];
  const changed = Object.keys(before).filter((name) => before[name] !== now[name]);
  const listed = (input: typeof before) =>
    changed.map((name) => `${name} ${show(input[name], 80)}`).join(", ");
  return [
    brokenBy(asked, "CLIENT-RETRY-1", {
      message: "a key is sent again with other input",
      expected: `another key, or as in ${ordinalOf(other, asked)}: ${listed(before)}`,
      got: `key ${asked.key} with ${listed(now)}`,
    }),
  ];
}

function judgeRebuild(asked: Asked, underKey: readonly Asked[]): readonly Violation[] {
  const tellings = underKey.filter((one) => gotAnswer(one, OUTCOMES.rebuild));
  const [told] = tellings;
  if (told === undefined || !surelyTold(asked, tellings)) return [];
  return [
    brokenBy(asked, "CLIENT-RETRY-3", {
      message: "the key of an expired draft is sent again",
      expected: "another key",
      got: `key ${asked.key}, for which ${ordinalOf(told, asked)} was answered ${REBUILD}`,
    }),
  ];
}

const REBUILD = `${OUTCOMES.rebuild.status} ${OUTCOMES.rebuild.codes.join()}`;

function judgeConflict(asked: Asked, underKey: readonly Asked[]): readonly Violation[] {
  const tellings = underKey.filter((one) => gotAnswer(one, OUTCOMES.conflict));
  if (!surelyTold(asked, tellings)) return [];
  const again = tellings.filter((one) => sameInput(one, asked) && sameLaunch(one, asked));
  const known = underKey.some((one) => sameInput(one, asked));
  if (known && again.length <= MOST_CONFLICTS) return [];
  return [
    brokenBy(asked, "CLIENT-RETRY-4", {
      message: known
        ? "keeps retrying the same request after a conflict"
        : "retries with yet other input after a conflict",
      expected: "input that the key was sent with before, or another key; and an end",
      got: known
        ? `the same key and input for the ${again.length + 1}th time`
        : `key ${asked.key} with new input`,
    }),
  ];
}

/** Judges a repeated build without a response: under another key it may give a second draft. */
function judgeNewKey(asked: Asked, earlier: readonly Asked[]): readonly Violation[] {
  const last = earlier.filter((one) => wasTold(one, asked) || one.status === undefined).at(-1);
  const isRetry = last !== undefined && leftAlone(last) && sameLaunch(last, asked) && sameInput(last, asked);
  if (!isRetry || last.key === asked.key) return [];
  return [
    brokenBy(asked, "CLIENT-RETRY-2", {
      message: "a build whose outcome is unknown is sent again under another key",
      expected: `key ${last.key} again: what took effect comes back under it, and counts once`,
      got: `key ${asked.key}, after ${ordinalOf(last, asked)} got ${answerInWords(last)}`,
    }),
  ];
}

/** Judges that a client corrects what was refused as invalid, or does not repeat it (contract, "Errors"). */
export function judgeRepeatedInput({ asked }: ClientReading): readonly Violation[] {
  return asked.flatMap((one) => {
    if (one.operation === "other" || one.operation === "platform") return [];
    const tellings = asked.filter(
      (earlier) =>
        earlier.turn.index < one.turn.index &&
        (earlier.status === 400 || earlier.status === 413) &&
        isUnchanged(earlier, one) &&
        !isLookedUp(earlier, one, asked),
    );
    const [told] = tellings;
    if (told === undefined || !surelyTold(one, tellings)) return [];
    return [
      brokenBy(one, "CLIENT-INPUT-1", {
        message: `${requestName(one)} is sent again as it was refused`,
        expected: "the input corrected, or an end",
        got: `the same as ${ordinalOf(told, one)}, which was answered ${answerInWords(told)}`,
      }),
    ];
  });
}

/** Whether the client requested the profile again before it repeated a challenge: the terms hash may then be the same. */
function isLookedUp(refused: Asked, again: Asked, asked: readonly Asked[]): boolean {
  if (refused.operation !== "challenge") return false;
  const between = asked.slice(refused.turn.index + 1, again.turn.index);
  return between.some((one) => one.operation === "platform" && sameLaunch(one, again));
}

/** Whether the refused part is unchanged: the body, or the header that the refusal is about. */
function isUnchanged(refused: Asked, again: Asked): boolean {
  if (refused.operation !== again.operation || !sameBody(refused, again)) return false;
  if (gotAnswer(refused, OUTCOMES.noKey)) return isDeepStrictEqual(refused.keys, again.keys);
  if (gotAnswer(refused, OUTCOMES.foreignCreator))
    return isDeepStrictEqual(refused.authorization, again.authorization);
  return true;
}

/** Compares bodies as JSON objects; as bytes where the writing was refused. A smaller body corrects one that was too large. */
function sameBody(one: Asked, other: Asked): boolean {
  if (gotAnswer(one, OUTCOMES.tooLarge) && other.body.bytes < one.body.bytes) return false;
  if (!gotAnswer(one, OUTCOMES.noJson) && one.body.kind === "object" && other.body.kind === "object")
    return isDeepStrictEqual(one.body.members, other.body.members);
  const [before, now] = [one.turn.request.body, other.turn.request.body];
  return Buffer.from(before ?? []).equals(Buffer.from(now ?? []));
}

/**
 * Minimum wait that counts as one: in ms by the client's own clock, and in real ms.
 */
const LEAST_WAIT_MS = 10;
const LEAST_REAL_MS = 5;
/** Minimum number of waits that are judged, since a random wait may be short. */
const LEAST_WAITS = 3;
/**
 * The same of waits that follow a wait for the same request: random waits grow, and a client that waits only once does not
 * back off.
 */
const LEAST_LATER_WAITS = 4;
const MOST_OF_THEM = 0.8;

/** The time until a launch repeated a request. */
interface Wait {
  readonly again: Asked;
  readonly ms: number;
  /** Whether it had also been answered 429 before. */
  readonly isLater: boolean;
}

/** Judges that a client waits after 429 (contract, "Errors"): fails where most waits in a vector are too short. */
export function judgeBackOff({ asked, trace }: ClientReading): readonly Violation[] {
  const leastMs = Math.max(LEAST_REAL_MS, LEAST_WAIT_MS * trace.waitScale);
  const waits = asked.flatMap((one) => waitAfter(one, asked));
  return (
    judgeWaits(waits, LEAST_WAITS, leastMs) ??
    judgeWaits(
      waits.filter(({ isLater }) => isLater),
      LEAST_LATER_WAITS,
      leastMs,
    ) ??
    []
  );
}

/** Undefined where there are too few of them, or where they are long enough. */
function judgeWaits(
  waits: readonly Wait[],
  leastWaits: number,
  leastMs: number,
): readonly Violation[] | undefined {
  const short = waits.filter(({ ms }) => ms < leastMs);
  const [first] = short;
  if (first === undefined || waits.length < leastWaits || short.length < waits.length * MOST_OF_THEM)
    return undefined;
  const which = first.isLater ? ", each after a wait" : "";
  return [
    brokenBy(first.again, "CLIENT-LIMIT-1", {
      message: `${requestName(first.again)} is repeated at once after 429`,
      expected: "some time in between",
      got: `${short.length} of ${waits.length} times sent again at once${which}`,
    }),
  ];
}

/** The wait after a request; none where it is unknown, or the client did not repeat the request. */
function waitAfter(refused: Asked, asked: readonly Asked[]): readonly Wait[] {
  if (!isBusy(refused)) return [];
  const again = asked.find((one) => isSame(refused, one) && wasTold(refused, one));
  if (again === undefined) return [];
  const isLater = asked.some((one) => isBusy(one) && isSame(one, refused) && wasTold(one, refused));
  return [{ again, ms: again.turn.atMs - refused.turn.answeredAtMs, isLater }];
}

function isBusy({ status, launches, turn: { answer } }: Asked): boolean {
  const isHeldBack = answer.kind === "answer" && (answer.delayMs ?? 0) > 0;
  return status === OUTCOMES.full.status && launches.length === 1 && !isHeldBack;
}

/** Whether two requests are the same, by the same launch. */
function isSame(one: Asked, other: Asked): boolean {
  return (
    other.operation === one.operation && other.launches.length === 1 && other.launches[0] === one.launches[0]
  );
}
