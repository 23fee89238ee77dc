import type { Edge } from "../edge.ts";

/** An edge for tests: keeps all output in `texts`, has no terminal and no signals, and no time passes. */
export function fakeEdge(changes: Partial<Edge> = {}): Edge & { readonly texts: readonly string[] } {
  const texts: string[] = [];
  const write = (text: string) => void texts.push(text);
  return {
    program: "npx launch-draft-conformance",
    env: {},
    terminal: undefined,
    clock: { now: () => 0, sleep: async () => {} },
    interrupted: new AbortController().signal,
    release: () => {},
    write,
    writeError: write,
    isOutputLost: async () => false,
    elapsedMs: () => 0,
    after: () => () => {},
    every: () => () => {},
    parentPid: () => 1,
    nextTurn: async () => {},
    randomSeed: () => 7,
    ...changes,
    texts,
  };
}
