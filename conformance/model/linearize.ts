/**
 * Judges events that overlap. A conforming service handles them in some order that respects real time: an
 * event that ended before another one started comes first. Such an order is a linearization.
 */
import type { Belief } from "./belief.ts";
import type { ServiceEvent, TimedEvent } from "./event.ts";
import type { Violation } from "./violation.ts";

export interface GroupStep {
  /**
   * Beliefs after the group, one for each distinguishable result of a linearization. If no linearization
   * explains the group, the beliefs have forgotten its partitions.
   */
  readonly beliefs: readonly Belief[];
  /** Set if no linearization explains the group. */
  readonly violation?: Violation;
}

/** Limits of the search. A group that exceeds them is not judged, and its partitions are forgotten. */
const MAX_BELIEFS = 24;
const MAX_STEPS = 20_000;

/**
 * Steps beliefs by a group of overlapping events. A group of one event is the usual case, and changes the
 * beliefs in place.
 * @param before at least one belief; not to be used afterwards
 */
export function stepGroup(before: readonly Belief[], group: readonly TimedEvent[]): GroupStep {
  const [only] = group;
  if (only !== undefined && group.length === 1) return stepSingle(before, only.event);
  const search = new LinearizationSearch(group, before);
  for (const [index, belief] of before.entries()) search.visit(belief, index, 0n, 0);
  return search.result(before);
}

function stepSingle(before: readonly Belief[], event: ServiceEvent): GroupStep {
  let violation: Violation | undefined;
  const beliefs = before.filter((belief) => {
    const found = belief.step(event);
    violation ??= found;
    return found === undefined;
  });
  if (beliefs.length > 0 || violation === undefined) return { beliefs };
  return { beliefs: forgotten(before, [event]), violation };
}

/** Makes the first belief forget the partitions of the events. */
function forgotten(beliefs: readonly Belief[], events: readonly ServiceEvent[]): readonly Belief[] {
  const first = beliefs.slice(0, 1);
  for (const belief of first) belief.forget(events.flatMap((event) => belief.partitions(event)));
  return first;
}

/** Depth-first search over linearizations, memoized by the set of handled events and the belief's digest. */
class LinearizationSearch {
  readonly #group: readonly TimedEvent[];
  readonly #labels: readonly string[];
  readonly #names: ReadonlySet<string>;
  readonly #visited = new Set<string>();
  readonly #results = new Map<string, Belief>();
  #steps = 0;
  #deepest = -1;
  #violation: Violation | undefined;

  constructor(group: readonly TimedEvent[], before: readonly Belief[]) {
    this.#group = group;
    this.#labels = labelsOf(group);
    this.#names = new Set(group.flatMap(({ event }) => namesOf(event, before)));
  }

  /**
   * @param start index of the belief before the group
   * @param handled set of handled events, one bit each
   */
  visit(belief: Belief, start: number, handled: bigint, depth: number): void {
    if (this.#isCutOff) return;
    if (depth === this.#group.length) {
      this.#addResult(belief);
      return;
    }
    const position = `${start} ${handled} ${belief.digest(this.#names, true)}`;
    if (this.#visited.has(position)) return;
    this.#visited.add(position);
    for (const { event, bit } of this.#next(handled)) {
      const after = belief.clone();
      this.#steps += 1;
      const violation = after.step(event);
      if (violation === undefined) this.visit(after, start, handled | bit, depth + 1);
      else if (depth > this.#deepest) {
        this.#deepest = depth;
        this.#violation = violation;
      }
    }
  }

  #addResult(belief: Belief): void {
    const digest = belief.digest();
    const same = this.#results.get(digest);
    if (same === undefined) this.#results.set(digest, belief);
    else same.addLimiters(belief);
  }

  get #isCutOff(): boolean {
    return this.#results.size > MAX_BELIEFS || this.#steps > MAX_STEPS;
  }

  result(before: readonly Belief[]): GroupStep {
    if (!this.#isCutOff && this.#results.size > 0) return { beliefs: [...this.#results.values()] };
    const violation = this.#isCutOff ? undefined : this.#violation;
    const events = this.#group.map(({ event }) => event);
    const beliefs = forgotten(before, events);
    // Steps through the events without judging them, because they still happened.
    for (const belief of beliefs) for (const event of events) belief.step(event);
    return violation === undefined ? { beliefs } : { beliefs, violation };
  }

  /** Returns the events that can come next: those sent before any unhandled event ended. Skips duplicates. */
  #next(handled: bigint): readonly { readonly event: ServiceEvent; readonly bit: bigint }[] {
    const left = this.#group
      .map((timed, index) => ({ ...timed, label: this.#labels[index], bit: 1n << BigInt(index) }))
      .filter(({ bit }) => (handled & bit) === 0n);
    const firstEnd = Math.min(...left.map(({ receivedAt }) => receivedAt));
    const candidates = left.filter(({ sentAt }) => sentAt <= firstEnd);
    return candidates.filter(
      ({ label, receivedAt }, index) =>
        !candidates.slice(0, index).some((other) => other.label === label && other.receivedAt <= receivedAt),
    );
  }
}

/** Returns equal labels for events whose order makes no difference: equal requests with equal outcomes. */
function labelsOf(group: readonly TimedEvent[]): readonly string[] {
  const keyOf = ({ event }: TimedEvent) =>
    event.kind === "exchange" ? event.exchange.request.idempotencyKey : undefined;
  const keys = group.map(keyOf);
  return group.map((timed, index) => {
    const { event } = timed;
    if (event.kind === "restart") return `restart ${index}`;
    const { request, status, body } = event.exchange;
    const key = keyOf(timed);
    // A key that only one event of the group has makes no difference.
    const isOnlyUse = keys.filter((other) => other === key).length === 1;
    const parts = [request.path, request.body, request.bearer, isOnlyUse ? "only use" : key];
    return JSON.stringify([...parts, status, body["code"]]);
  });
}

function namesOf(event: ServiceEvent, [belief]: readonly Belief[]): readonly string[] {
  const partitions = belief?.partitions(event) ?? [];
  return partitions.map((partition) => partition.slice(partition.indexOf(" ") + 1));
}
