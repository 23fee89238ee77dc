import type { Action, Who } from "./action.ts";

const PEOPLE: readonly Who[] = ["alice", "bob"];

/** Forms of an action with less to it, the simplest first. */
export function simplerAction(action: Action): readonly Action[] {
  switch (action.do) {
    case "build":
      return [
        { do: "session", who: action.who },
        ...resets(action, { spelling: 0, session: 0, input: 0, key: 0, who: "alice" }),
        ...(action.input > 1 ? [{ ...action, input: 1 }] : []),
        ...(action.key > 1 ? [{ ...action, key: 1 }] : []),
      ];
    case "burst":
      return [
        ...(action.count > 1 ? [{ ...action, count: action.count - 1 }] : []),
        ...resets(action, { who: "alice" }),
      ];
    case "change":
      return resets(action, { back: 0, input: 1 });
    case "again":
      return [
        ...(action.times > 1 ? [{ ...action, times: action.times - 1 }] : []),
        ...resets(action, { back: 0 }),
      ];
    case "invalid":
      return resets(action, { fault: 0, key: 0, who: "alice" });
    case "verify":
      return [
        ...(action.proof === 0 ? PEOPLE.map((who): Action => ({ do: "session", who })) : []),
        ...resets(action, { proof: 0, back: 0 }),
        ...(action.proof > 1 ? [{ ...action, proof: 1 }] : []),
      ];
    case "wait":
      return resets(action, { since: "now" });
    case "challenge":
    case "session":
      return resets(action, { who: "alice" });
    default:
      return [];
  }
}

/** The action with one member each put back to its simplest value, where that changes it. */
function resets<A extends Action>(action: A, values: Partial<A>): readonly Action[] {
  return Object.entries(values)
    .filter(([name, value]) => action[name as keyof A] !== value)
    .map(([name, value]) => ({ ...action, [name]: value }));
}
