import type { Command } from "./command.ts";
import { COMMAND_SET, isStale, type Member, OTHER_INPUT, WAITS } from "./command-set.ts";

/** What a prefix has in it, as far as it decides on what may follow. */
interface Prefix {
  readonly begun: boolean;
  readonly names: ReadonlySet<string>;
  readonly challenged: boolean;
  readonly restarted: boolean;
  readonly waits: number;
  readonly last: Command["do"] | undefined;
}

const EMPTY: Prefix = {
  begun: false,
  names: new Set(),
  challenged: false,
  restarted: false,
  waits: 0,
  last: undefined,
};

/**
 * Every sequence of `depth` members of the command set that ends in a request, in a fixed order. Shorter ones are the
 * beginnings of these. Left out is what another sequence shows as well: other names for the same creators, keys and
 * inputs; waits and restarts side by side or at the very beginning; a proof without a challenge.
 */
export function* everySequence(depth: number): Generator<readonly Command[]> {
  yield* extensions([], EMPTY, depth);
}

function* extensions(
  sequence: readonly Command[],
  prefix: Prefix,
  depth: number,
): Generator<readonly Command[]> {
  for (const member of COMMAND_SET) {
    const next = after(prefix, member);
    if (next === undefined) continue;
    const longer = [...sequence, ...member];
    if (depth > 1) yield* extensions(longer, next, depth - 1);
    else if (next.last !== "wait" && next.last !== "restart") yield longer;
  }
}

/** The prefix with one member more; undefined where that makes no sequence of its own. */
function after(prefix: Prefix, [command]: Member): Prefix | undefined {
  if (command === undefined) return undefined;
  const next = { ...prefix, begun: true, last: command.do };
  const naming = (...names: readonly string[]) => ({ ...next, names: new Set([...prefix.names, ...names]) });
  switch (command.do) {
    case "build": {
      if (isStale(command)) return prefix.restarted ? next : undefined;
      const { who, key, input } = command;
      if (key === 0) return naming(who);
      const second = [who === "bob" && "alice", key === 2 && "key 1", input === OTHER_INPUT && "input 0"];
      if (second.some((first) => first !== false && !prefix.names.has(first))) return undefined;
      return naming(who, `key ${key}`, `input ${input}`);
    }
    case "invalid":
      return naming(command.who, `key ${command.key}`);
    case "challenge":
      return { ...next, challenged: true };
    case "verify":
      return prefix.challenged ? next : undefined;
    case "restart":
      return prefix.begun && prefix.last !== "restart" && prefix.last !== "wait"
        ? { ...next, restarted: true }
        : undefined;
    case "wait": {
      const place = WAITS.indexOf(command);
      if (!prefix.begun || prefix.last === "wait" || place < prefix.waits) return undefined;
      return { ...next, waits: place + 1 };
    }
    default:
      return next;
  }
}
