import type { Turn } from "../../../engine/client/trace.ts";
import { OUTCOMES } from "../../operations.ts";
import { type Asked, type ClientReading, gotAnswer } from "../judge/client-reading.ts";

/**
 * Answers may be lost behind whoever saw them pass, and a proof may then be sent again as it was (CLIENT-LOST-VERIFY). So
 * often they are not: what sends again by itself gives up after four attempts.
 */
export const SURELY_HEARD = 4;

/** No answer is longer on its way: what is sent before may have been sent by somebody who still waited for it. */
const ON_THE_WAY_MS = 1_000;

/** Whether a proof was answered by what says that its challenge is over: what stands before a service has a 401 of its own. */
export function tellsOfEnd(asked: Asked): boolean {
  if (asked.status === 200) return typeof asked.answer["bearer"] === "string";
  return gotAnswer(asked, OUTCOMES.spentChallenge) || gotAnswer(asked, OUTCOMES.invalidProof);
}

/** Whether whoever sent a proof had surely heard that its challenge is over. */
export function heardOfEnd({ turn, body }: Asked, { asked }: ClientReading, doubtMs: number): boolean {
  const tellings = asked.filter(
    (one) =>
      one.operation === "verify" &&
      one.body.members["id"] === body.members["id"] &&
      one.turn.index < turn.index &&
      tellsOfEnd(one),
  );
  const isAfter = (later: Turn, earlier: Turn, spanMs: number) =>
    earlier.answeredAtMs + spanMs + doubtMs <= later.atMs;
  const told = tellings.filter((one) => isAfter(turn, one.turn, ON_THE_WAY_MS));
  const isUsed = asked.some(
    (use) =>
      use.operation === "build" &&
      use.turn.atMs + doubtMs <= turn.atMs &&
      tellings.some(
        ({ turn: telling, answer }) => answer["bearer"] === use.bearer && isAfter(use.turn, telling, 0),
      ),
  );
  return isUsed || told.length >= SURELY_HEARD;
}
