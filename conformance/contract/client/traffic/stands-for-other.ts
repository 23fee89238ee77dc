import { compareInputs, launchInput } from "../../model/launch-input.ts";
import { OUTCOMES } from "../../operations.ts";
import { type Asked, type ClientReading, gotAnswer } from "../judge/client-reading.ts";

/**
 * Whether a key stands for other input: the service says so, or took both in one life. After a restart any key may be used for
 * other input, and no session is left (contract, "What the service does").
 */
export function standsForOther(build: Asked, { asked }: ClientReading, doubtMs: number): boolean {
  if (gotAnswer(build, OUTCOMES.conflict)) return true;
  if (build.status !== 200 && build.status !== OUTCOMES.rebuild.status) return false;
  const opened = asked.find(
    ({ operation, answer }) => operation === "verify" && answer["bearer"] === build.bearer,
  );
  const isOfOneLife = (earlier: Asked) =>
    opened === undefined
      ? earlier.bearer === build.bearer
      : opened.turn.answeredAtMs + doubtMs <= earlier.turn.atMs;
  return asked.some(
    (earlier) =>
      earlier.operation === "build" &&
      earlier !== build &&
      isOtherInput(earlier, build) &&
      isOfOneLife(earlier),
  );
}

/** Whether no service takes two builds to hold the same input: some fold what Unicode holds equivalent. */
function isOtherInput(one: Asked, other: Asked): boolean {
  const [before, now] = [launchInput(one.body.members), launchInput(other.body.members)];
  return compareInputs(before, now).sameness === "different";
}
