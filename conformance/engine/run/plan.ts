import picomatch from "picomatch";
import type { ImplementationInfo } from "../../adapters/adapter.ts";
import type { Need, Vector } from "../vectors/vector.ts";

/** A vector that will be played, or the reason why it will not. */
export interface Planned {
  readonly vector: Vector;
  readonly skip?: string;
}

/**
 * Chooses vectors, or whatever has an id, by id. A pattern without wildcard also takes everything below it: `challenge`, `build/uri`.
 * @param only globs over ids; none chooses all
 * @returns the chosen vectors, and the patterns that matched nothing
 */
export function select<Item extends { readonly id: string }>(
  items: readonly Item[],
  only: readonly string[],
): { readonly chosen: readonly Item[]; readonly unmatched: readonly string[] } {
  if (only.length === 0) return { chosen: items, unmatched: [] };
  const patterns = only.map((glob) => ({
    glob,
    matches: glob === "" ? () => false : picomatch([glob, `${glob}/**`]),
  }));
  return {
    chosen: items.filter(({ id }) => patterns.some(({ matches }) => matches(id))),
    unmatched: patterns
      .filter(({ matches }) => !items.some(({ id }) => matches(id)))
      .map(({ glob }) => glob || "an empty pattern"),
  };
}

/** Holds the needs of each vector against what the implementation can be asked to do. */
export function plan(
  vectors: readonly Vector[],
  info: ImplementationInfo,
  maxWaitMs: number,
): readonly Planned[] {
  return vectors.map((vector) => {
    const skip = reasonToSkip(vector, info, maxWaitMs);
    return skip === undefined ? { vector } : { vector, skip };
  });
}

function reasonToSkip(vector: Vector, info: ImplementationInfo, maxWaitMs: number): string | undefined {
  const { capabilities, facts } = info;
  const lacks: Readonly<Record<Need, string | false>> = {
    "virtual-clock":
      capabilities.clock !== "virtual" && "needs a clock that the kit can set (capability clock: virtual)",
    restart: !capabilities.restart && "needs a service of its own that can be restarted (capability restart)",
    rawBody:
      !capabilities.rawBody && "needs the exact text of the body to reach the service (capability rawBody)",
    concurrency:
      !capabilities.concurrency && "needs requests that are in flight together (capability concurrency)",
    operatorKey: facts.operatorKey === undefined && "needs the operator key (fact operatorKey)",
  };
  for (const need of vector.needs) {
    const reason = lacks[need];
    if (reason !== false) return reason;
  }
  if (capabilities.clock === "real" && vector.totalWaitMs > maxWaitMs) {
    return `waits ${vector.totalWaitMs / 1000} s on a real clock, longer than --max-wait ${maxWaitMs / 1000}s`;
  }
  return undefined;
}
