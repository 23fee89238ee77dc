import picomatch from "picomatch";
import type { ImplementationInfo } from "../../adapters/adapter.ts";
import { DataError } from "../data/data-error.ts";
import { CLOCK, type Unmet, unmetNeed } from "../vectors/need.ts";
import type { Vector } from "../vectors/vector.ts";

/** A vector that will be played, or the reason why it will not. */
export interface Planned {
  readonly vector: Vector;
  readonly skip?: Pick<Unmet, "reason"> & Partial<Unmet>;
}

/**
 * Chooses vectors, or whatever has an id, by id. A pattern without wildcard also takes everything below it: `limits`, `limits/per-day`.
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

function reasonToSkip(vector: Vector, info: ImplementationInfo, maxWaitMs: number): Unmet | undefined {
  const unmet = unmetNeed(vector.needs, info);
  if (info.capabilities.clock !== "real" || vector.totalWaitMs <= maxWaitMs) return unmet;
  const waits = `waits ${vector.totalWaitMs / 1000} s on a real clock, longer than --max-wait ${maxWaitMs / 1000}s`;
  return {
    reason: unmet?.reason ?? waits,
    lacks: [...new Set([...(unmet?.lacks ?? []), CLOCK])],
  };
}

/**
 * Where something else than the service answers, keeps one vector to say so: one that is about what the service is
 * known by if any was chosen, one that does not wait if there is any.
 * @param notTheService what `Probes.checkIdentity` gave
 * @param rule the one that vectors about it speak for
 */
export function keepOneToReport(
  planned: readonly Planned[],
  notTheService: string | undefined,
  rule: string,
): readonly Planned[] {
  if (notTheService === undefined) return planned;
  const playable = planned.filter(({ skip }) => skip === undefined);
  const prompt = playable.filter(({ vector }) => vector.totalWaitMs === 0);
  const about = prompt.find(({ vector }) => vector.rules.includes(rule));
  const kept = about ?? prompt[0] ?? playable[0];
  return planned.map((one) =>
    one === kept ? one : { ...one, skip: { reason: `not tried: ${notTheService}` } },
  );
}

/** What a run looks at. */
export interface Chosen<Item> {
  readonly vectors: readonly Item[];
  /** Ids of properties. */
  readonly properties: ReadonlySet<string>;
}

/**
 * The vectors and properties that globs over ids choose; none chooses all.
 * @throws {DataError} where one matches nothing: a run that looks at nothing must not look like a pass
 */
export function choose<Item extends { readonly id: string }>(
  vectors: readonly Item[],
  properties: readonly string[],
  only: readonly string[],
): Chosen<Item> {
  const { chosen, unmatched } = select<{ readonly id: string }>(
    [...vectors, ...properties.map((id) => ({ id }))],
    only,
  );
  if (unmatched.length > 0 || chosen.length === 0) {
    throw new DataError(
      "--only",
      `${unmatched.join(", ") || "the selection"} matches no vector and no property; \`list\` shows their ids`,
    );
  }
  const ids = new Set(chosen.map(({ id }) => id));
  return {
    vectors: vectors.filter(({ id }) => ids.has(id)),
    properties: new Set(properties.filter((id) => ids.has(id))),
  };
}
