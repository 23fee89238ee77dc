import { ALPHABET, type Letter } from "./alphabet.ts";

/** What a prefix has in it, as far as it decides on what may follow. */
interface Prefix {
  readonly begun: boolean;
  readonly names: ReadonlySet<string>;
  readonly challenged: boolean;
  readonly restarted: boolean;
  readonly limit: number;
  readonly last: Letter["kind"] | undefined;
}

const EMPTY: Prefix = {
  begun: false,
  names: new Set(),
  challenged: false,
  restarted: false,
  limit: -1,
  last: undefined,
};

/**
 * Every sequence of `depth` letters that ends in a request, in a fixed order. Shorter ones are the beginnings of these.
 * Left out is what another sequence shows as well: other names for the same creators, keys and inputs; waits and
 * restarts side by side or at the very beginning; a proof without a challenge.
 */
export function* everySequence(depth: number): Generator<readonly Letter[]> {
  yield* extensions([], EMPTY, depth);
}

function* extensions(
  sequence: readonly Letter[],
  prefix: Prefix,
  depth: number,
): Generator<readonly Letter[]> {
  for (const letter of ALPHABET) {
    const next = after(prefix, letter);
    if (next === undefined) continue;
    const longer = [...sequence, letter];
    if (depth > 1) yield* extensions(longer, next, depth - 1);
    else if (letter.kind !== "wait" && letter.kind !== "restart") yield longer;
  }
}

/** The prefix with one letter more; undefined where that makes no sequence of its own. */
function after(prefix: Prefix, letter: Letter): Prefix | undefined {
  const next = { ...prefix, begun: true, last: letter.kind };
  switch (letter.kind) {
    case "build": {
      const { who, key, input } = letter;
      const second = [who === "bob" && "alice", key === 2 && "key 1", input === 2 && "input 1"];
      if (second.some((first) => first !== false && !prefix.names.has(first))) return undefined;
      return { ...next, names: new Set([...prefix.names, who, `key ${key}`, `input ${input}`]) };
    }
    case "spend":
    case "invalid":
      return {
        ...next,
        names: new Set([...prefix.names, "alice", ...(letter.kind === "invalid" ? ["key 1"] : [])]),
      };
    case "challenge":
      return { ...next, challenged: true };
    case "prove":
      return prefix.challenged ? next : undefined;
    case "stale":
      return prefix.restarted ? next : undefined;
    case "restart":
      return prefix.begun && prefix.last !== "restart" && prefix.last !== "wait"
        ? { ...next, restarted: true }
        : undefined;
    case "look":
      return undefined;
    case "wait":
      if (!prefix.begun || prefix.last === "wait" || letter.limit <= prefix.limit) return undefined;
      return { ...next, limit: letter.limit };
  }
}
