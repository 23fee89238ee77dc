/** Judges a history: a list of timed events, in the order in which they were sent. */
import { Belief, type Origin } from "./belief.ts";
import type { TimedEvent } from "./event.ts";
import { stepGroup } from "./linearize.ts";
import type { Violation } from "./violation.ts";

export interface HistoryViolation extends Violation {
  /** Index of the unexplained event. */
  readonly index: number;
}

export interface HistoryJudgment {
  /** The first violation of each partition. Later events of a partition that has one are not judged. */
  readonly violations: readonly HistoryViolation[];
  /** Number of exchanges that were not judged because the model has forgotten what they depend on. */
  readonly notDecided: number;
}

/** @param maxViolations number of violations after which the judge stops */
export function checkHistory(
  history: readonly TimedEvent[],
  origin: Origin,
  maxViolations = 20,
): HistoryJudgment {
  const violations: HistoryViolation[] = [];
  let beliefs: readonly Belief[] = [new Belief(origin)];
  const notDecided = () => beliefs[0]?.notDecided ?? 0;
  for (const { start, group } of overlappingGroups(history)) {
    for (const component of independentComponents(group, beliefs)) {
      const { beliefs: after, violation } = stepGroup(beliefs, component);
      beliefs = after;
      if (violation === undefined) continue;
      const position = group.findIndex(
        ({ event }) => "exchange" in event && event.exchange === violation.exchange,
      );
      violations.push({ ...violation, index: start + position });
      if (violations.length >= maxViolations) return { violations, notDecided: notDecided() };
    }
  }
  return { violations, notDecided: notDecided() };
}

/** Number of histories that the search for evidence may check. */
const MAX_CHECKS = 400;

/**
 * Returns the indices of the other events that suffice for a violation: without any one of them, and with
 * unseen exchanges allowed, there is an explanation. Empty if the violation cannot be reproduced alone, as
 * when it needs worlds that earlier histories ruled out. Longer than necessary if the search ends early.
 */
export function evidenceOf(
  history: readonly TimedEvent[],
  { rules, index }: HistoryViolation,
  origin: Origin,
): readonly number[] {
  const { start, group } = [...overlappingGroups(history)].find(
    (one) => one.start + one.group.length > index,
  ) ?? {
    start: index,
    group: [],
  };
  let checks = 0;
  const reproduces = (indices: readonly number[], assumed: Origin) => {
    checks += 1;
    if (checks > MAX_CHECKS) return false;
    const chosen = new Set([...indices, index]);
    const subset = history.filter((_, at) => chosen.has(at));
    const firstOfGroup = indices.filter((at) => at < start).length;
    const { violations } = checkHistory(subset, assumed, 5);
    return violations.some((found) => found.rules[0] === rules[0] && found.index >= firstOfGroup);
  };
  const others = [...history.keys()].filter((at) => at !== index && at < start + group.length);
  for (const assumed of [{ ...origin, incomplete: true }, origin])
    if (reproduces(others, assumed)) return shrink(others, (indices) => reproduces(indices, assumed));
  return [];
}

/** Removes ever smaller chunks for as long as the rest still reproduces the violation. */
function shrink(
  indices: readonly number[],
  reproduces: (indices: readonly number[]) => boolean,
): readonly number[] {
  let kept = indices;
  let size = Math.ceil(kept.length / 2);
  while (size >= 1) {
    for (let start = 0; start < kept.length; ) {
      const fewer = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (reproduces(fewer)) kept = fewer;
      else start += size;
    }
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return kept;
}

interface Group {
  /** Index of the first event in the history. */
  readonly start: number;
  readonly group: readonly TimedEvent[];
}

/** Cuts a history where no event is in flight. */
function* overlappingGroups(history: readonly TimedEvent[]): Generator<Group> {
  let [start, end] = [0, Number.NEGATIVE_INFINITY];
  for (const [index, { sentAt, receivedAt }] of history.entries()) {
    if (index > start && sentAt > end) {
      yield { start, group: history.slice(start, index) };
      start = index;
    }
    end = index > start ? Math.max(end, receivedAt) : receivedAt;
  }
  if (history.length > start) yield { start, group: history.slice(start) };
}

/** Splits a group into parts without a common partition. Their order makes no difference. */
export function independentComponents(
  group: readonly TimedEvent[],
  [belief]: readonly Belief[],
): readonly (readonly TimedEvent[])[] {
  if (belief === undefined || group.length < 2 || group.some(({ event }) => event.kind === "restart"))
    return [group];
  let components: readonly { readonly partitions: readonly string[]; readonly events: TimedEvent[] }[] = [];
  for (const timed of group) {
    const partitions = belief.partitions(timed.event);
    const isTouched = (component: { readonly partitions: readonly string[] }) =>
      component.partitions.some((partition) => partitions.includes(partition));
    const touched = components.filter(isTouched);
    const joined = {
      partitions: [...new Set([...touched.flatMap((component) => component.partitions), ...partitions])],
      events: [...touched.flatMap(({ events }) => events), timed],
    };
    components = [...components.filter((component) => !isTouched(component)), joined];
  }
  return components.map(({ events }) => events);
}
