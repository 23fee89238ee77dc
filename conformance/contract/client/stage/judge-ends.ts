import type { TaskRecord, Trace, Violation } from "../../../engine/client/trace.ts";
import { show } from "../../../engine/play/judgement.ts";
import { ENDS, type End } from "../script/scenario.ts";

/** A launch as it was given, in the order of giving. */
export interface GivenLaunch {
  readonly id: string;
  readonly expect: readonly End[];
}

const WORDS: Readonly<Record<End, string>> = {
  draft: "a draft",
  refused: "a refusal",
  distrusted: "distrust",
};

/**
 * Launches that ended otherwise than they may. One that gave no result is not looked at here.
 * @param rule the rule that such a launch breaks
 */
export function judgeEnds(
  trace: Trace,
  launches: readonly GivenLaunch[],
  rule: string,
): readonly Violation[] {
  const left = [...launches];
  return trace.tasks.flatMap((task): readonly Violation[] => {
    const place = left.findIndex(({ id }) => id === task.id);
    const [given] = place < 0 ? [] : left.splice(place, 1);
    const end = endOf(task);
    if (given === undefined || end === undefined || given.expect.includes(end)) return [];
    return [
      {
        rule,
        message: `the launch ended with ${WORDS[end]}`,
        expected: given.expect.map((one) => WORDS[one]).join(" or "),
        got: task.end.kind === "result" ? show(task.end.result) : WORDS[end],
        task: task.id,
      },
    ];
  });
}

/** How a task ended; undefined where it gave no result of the client protocol. */
export function endOf({ end }: TaskRecord): End | undefined {
  if (end.kind !== "result" || typeof end.result !== "object" || end.result === null) return undefined;
  const named = ENDS.filter((one) => Object.hasOwn(end.result as object, one));
  return named.length === 1 ? named[0] : undefined;
}
