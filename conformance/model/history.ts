/** Judges events one after the other. Judges events that were in flight together as a group. */
import { OUTCOMES } from "../contract/constants.ts";
import { matchesOutcome } from "../contract/outcome.ts";
import { Belief, type Origin, type Worlds } from "./belief.ts";
import type { TimedEvent } from "./event.ts";
import { stepGroup } from "./linearize.ts";
import type { Violation } from "./violation.ts";

/** Possible states of a service after the events so far. */
export class HistoryChecker {
  /** One belief, or several if the unknown order of requests in flight leads to different states. */
  #beliefs: readonly Belief[];

  constructor(origin: Origin) {
    this.#beliefs = [new Belief(origin)];
  }

  /** Number of exchanges that were not judged because they depend on a forgotten partition. */
  get notDecided(): number {
    return this.#beliefs[0]?.notDecided ?? 0;
  }

  /** Worlds that are not ruled out, or undefined if they depend on the order of requests in flight. */
  get worlds(): Worlds | undefined {
    return this.#beliefs.length === 1 ? this.#beliefs[0]?.worlds : undefined;
  }

  /** Outcomes that were allowed for the last exchange: `OK` and refusal codes. */
  get allowed(): readonly string[] {
    return [...new Set(this.#beliefs.flatMap(({ allowed }) => [...allowed]))];
  }

  /** Returns a copy of the first belief. Steps of the copy have no effect on this checker. */
  belief(): Belief | undefined {
    return this.#beliefs[0]?.clone();
  }

  /**
   * Judges events that overlap.
   * @returns the violations. The checker forgets their partitions.
   */
  step(group: readonly TimedEvent[]): readonly Violation[] {
    const violations: Violation[] = [];
    for (const component of independentComponents(group, this.#beliefs)) {
      const { beliefs, violation } = stepGroup(this.#beliefs, component);
      this.#beliefs = beliefs;
      if (violation !== undefined) violations.push(violation);
    }
    return violations;
  }
}

/**
 * Judges timed events, in the order in which they were sent. Returns the first violation of each partition, and
 * the number of exchanges that were not judged because they depend on a violated or forgotten partition.
 */
export function checkHistory(history: Iterable<TimedEvent>, origin: Origin) {
  const checker = new HistoryChecker(origin);
  const violations = [...overlappingGroups(history)].flatMap((group) => checker.step(group));
  return { violations, notDecided: checker.notDecided };
}

/** Splits a history at the times at which no request is in flight. */
export function* overlappingGroups<Event extends TimedEvent>(
  history: Iterable<Event>,
): Generator<readonly Event[]> {
  let group: Event[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const timed of history) {
    if (timed.sentAt > end && group.length > 0) {
      yield group;
      group = [];
    }
    group.push(timed);
    end = Math.max(end, timed.receivedAt);
  }
  if (group.length > 0) yield group;
}

/** Returns whether an event depends on all partitions: a restart, or a refusal because a store is full. */
function dependsOnAll({ event }: TimedEvent): boolean {
  return event.kind === "restart" || matchesOutcome(event.exchange, OUTCOMES.full);
}

/** Splits a group into parts that share no partition, so that the order of the parts makes no difference. */
function independentComponents(
  group: readonly TimedEvent[],
  [belief]: readonly Belief[],
): readonly (readonly TimedEvent[])[] {
  if (belief === undefined || group.length < 2 || group.some(dependsOnAll)) return [group];
  let components: readonly { readonly partitions: readonly string[]; readonly events: TimedEvent[] }[] = [];
  for (const timed of group) {
    const own = belief.partitions(timed.event);
    const touched = components.filter(({ partitions }) => partitions.some((one) => own.includes(one)));
    const joined = {
      partitions: [...touched.flatMap(({ partitions }) => partitions), ...own],
      events: [...touched.flatMap(({ events }) => events), timed],
    };
    components = [...components.filter((one) => !touched.includes(one)), joined];
  }
  return components.map(({ events }) => events);
}
