import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../../engine/client/trace.ts";
import { OUTCOMES } from "../../operations.ts";
import {
  type Asked,
  answerInWords,
  type ClientReading,
  gotAnswer,
  sameLaunch,
  surelyTold,
} from "./client-reading.ts";
import { brokenBy, ordinalOf, requestName } from "./found.ts";

/** What was refused as invalid is corrected, or not sent again (contract, "Errors"). */
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

/** Whether the terms hash of a challenge was asked for anew: what comes of that is the service's word, though it be the same. */
function isLookedUp(refused: Asked, again: Asked, asked: readonly Asked[]): boolean {
  if (refused.operation !== "challenge") return false;
  const between = asked.slice(refused.turn.index + 1, again.turn.index);
  return between.some((one) => one.operation === "platform" && sameLaunch(one, again));
}

/** Whether what was wrong is as it was: the body, but where the refusal is about a header. */
function isUnchanged(refused: Asked, again: Asked): boolean {
  if (refused.operation !== again.operation || !sameBody(refused, again)) return false;
  if (gotAnswer(refused, OUTCOMES.noKey)) return isDeepStrictEqual(refused.keys, again.keys);
  if (gotAnswer(refused, OUTCOMES.foreignCreator))
    return isDeepStrictEqual(refused.authorization, again.authorization);
  return true;
}

/** As JSON where it is an object; how it was written counts where that was refused, and what is smaller was reduced. */
function sameBody(one: Asked, other: Asked): boolean {
  if (gotAnswer(one, OUTCOMES.tooLarge) && other.body.bytes < one.body.bytes) return false;
  if (!gotAnswer(one, OUTCOMES.noJson) && one.body.kind === "object" && other.body.kind === "object")
    return isDeepStrictEqual(one.body.members, other.body.members);
  const [before, now] = [one.turn.request.body, other.turn.request.body];
  return Buffer.from(before ?? []).equals(Buffer.from(now ?? []));
}
