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
 * Launches that ended otherwise than they may, although nothing else is wrong with them: what a client does wrong has
 * consequences. One that gave no result is not looked at here.
 * @param judging the rule that such a launch breaks, and what else was found
 */
export function judgeEnds(
  trace: Trace,
  launches: readonly GivenLaunch[],
  { rule, others }: { readonly rule: string; readonly others: readonly Violation[] },
): readonly Violation[] {
  return trace.tasks.flatMap((task): readonly Violation[] => {
    const { expect } = launches.find(({ id }) => id === task.id) ?? {};
    const end = endOf(task);
    if (expect === undefined || end === undefined || isExpected(end, expect)) return [];
    if (others.some((other) => mayBeAbout(other, task, trace))) return [];
    return [
      {
        rule,
        message: `the launch ended with ${WORDS[end]}`,
        expected: expect.map((one) => WORDS[one]).join(" or "),
        got: task.end.kind === "result" ? show(task.end.result) : WORDS[end],
        task: task.id,
      },
    ];
  });
}

/** To give up is to give up, whether a client blames it on a refusal or on a service that it believes no more. */
function isExpected(end: End, expect: readonly End[]): boolean {
  return expect.includes(end === "distrusted" ? "refused" : end) || expect.includes(end);
}

/** Whether what is wrong may be why a task ended as it did: launches that run side by side may share a sign-in. */
function mayBeAbout({ task: id }: Violation, task: TaskRecord, { tasks }: Trace): boolean {
  if (id === undefined || id === task.id) return true;
  return tasks.some(
    (other) => other.id === id && other.fromTurn < task.toTurn && task.fromTurn < other.toTurn,
  );
}

/** How a task ended; undefined where it gave no result of the client protocol. */
export function endOf({ end }: TaskRecord): End | undefined {
  if (end.kind !== "result" || typeof end.result !== "object" || end.result === null) return undefined;
  const named = ENDS.filter((one) => Object.hasOwn(end.result as object, one));
  return named.length === 1 ? named[0] : undefined;
}
