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
import { brokenBy, ordinalOf } from "./found.ts";

/** So often may a conflict be met with the same input under the same key in one launch: beyond that nothing ends it. */
const MOST_CONFLICTS = 10;

/** Which key goes with which input (contract, "States and transitions", Draft, and "Errors"). */
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

/** Whether a build may have left a draft under its key: it was served, or nobody told the client that it was not. */
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
        ? "a conflict is met with the same again and again"
        : "a conflict is met with yet other input",
      expected: "input that the key was sent with before, or another key; and an end",
      got: known
        ? `the same key and input for the ${again.length + 1}th time`
        : `key ${asked.key} with new input`,
    }),
  ];
}

/** A build that nobody answered, sent again under another key: a second draft may come of it. */
function judgeNewKey(asked: Asked, earlier: readonly Asked[]): readonly Violation[] {
  const last = earlier.filter((one) => wasTold(one, asked) || one.status === undefined).at(-1);
  const isRetry = last !== undefined && leftAlone(last) && sameLaunch(last, asked) && sameInput(last, asked);
  if (!isRetry || last.key === asked.key) return [];
  return [
    brokenBy(asked, "CLIENT-RETRY-2", {
      message: "a build whose fate is not known is sent again under another key",
      expected: `key ${last.key} again: what took effect comes back under it, and counts once`,
      got: `key ${asked.key}, after ${ordinalOf(last, asked)} got ${answerInWords(last)}`,
    }),
  ];
}
