import { type Command, FAULT } from "./command.ts";
import { keyedBuild, OTHER_INPUT, WAITS } from "./command-set.ts";

const FIRST = keyedBuild("alice", 1, 0);
const CHANGED = keyedBuild("alice", 1, OTHER_INPUT);
/** To just before the end of a draft, and to just after it. */
const [BEFORE, AFTER] = WAITS;

/**
 * The life of a draft from its build to its end: what is asked under its key soon, and just before the end, must leave
 * that end where it is. Every sequence of a few commands is too short for that. Others have been served and refused
 * meanwhile.
 */
export function longLives(): readonly (readonly Command[])[] {
  if (BEFORE === undefined || AFTER === undefined) return [];
  const others: readonly Command[] = [
    keyedBuild("bob", 1, 0),
    { do: "invalid", who: "alice", key: 0, fault: FAULT.foreignHost },
  ];
  return [CHANGED, FIRST].flatMap((soon) =>
    [CHANGED, FIRST].map((late) => [FIRST, ...others, soon, FIRST, BEFORE, late, AFTER, FIRST]),
  );
}
