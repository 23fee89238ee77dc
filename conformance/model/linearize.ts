/**
 * Judges events that overlap. A conforming service handles them in some order that respects real time: each
 * event comes after all events that ended before it started. Such an order is a linearization.
 */
import type { Belief } from "./belief.ts";
import type { ServiceEvent, TimedEvent } from "./event.ts";
import type { Violation } from "./violation.ts";

export interface GroupStep {
  /**
   * Beliefs after the group, one for each different result of a linearization. If no linearization explains
   * the group, or the search exceeded a limit, there is one belief, which has forgotten the partitions.
   */
  readonly beliefs: readonly Belief[];
  /** Set if the search is complete, and no linearization explains the group. */
  readonly violation?: Violation;
}

/** Limits of the search. Above either, the group is not judged, and its partitions are forgotten. */
const MAX_BELIEFS = 24;
const MAX_STEPS = 20_000;

/**
 * Applies a group of overlapping events to beliefs. A group of one event is the usual case, and changes the
 * beliefs in place. For a larger group, a depth-first search tries the linearizations. The search skips a
 * combination of handled events and belief digest that it has already visited.
 * @param before at least one belief. The caller must not use these beliefs afterwards.
 */
export function stepGroup(before: readonly Belief[], group: readonly TimedEvent[]): GroupStep {
  const events = group.map(({ event }) => event);
  const [only] = events;
  if (only !== undefined && events.length === 1) return stepSingle(before, only);
  const labels = labelsOf(events);
  const all = group.map((timed, index) => ({ ...timed, label: labels[index], bit: 1n << BigInt(index) }));
  const partitions = new Set(events.flatMap((event) => before[0]?.partitions(event) ?? []));
  const visited = new Set<string>();
  const results = new Map<string, Belief>();
  let [steps, deepest] = [0, -1];
  let violation: Violation | undefined;
  const isCutOff = () => results.size > MAX_BELIEFS || steps > MAX_STEPS;

  /** @param handled set of handled events, one bit each. @param start index of the belief before the group */
  const visit = (belief: Belief, handled: bigint, depth: number, start: number): void => {
    if (isCutOff()) return;
    if (depth === group.length) {
      const digest = belief.digest();
      const same = results.get(digest);
      if (same === undefined) results.set(digest, belief);
      else same.addLimiters(belief);
      return;
    }
    const position = `${start} ${handled} ${belief.digest(partitions, true)}`;
    if (visited.has(position)) return;
    visited.add(position);
    for (const { event, bit } of nextEvents(all, handled)) {
      const after = belief.clone();
      steps += 1;
      const found = after.step(event);
      if (found === undefined) visit(after, handled | bit, depth + 1, start);
      else if (depth > deepest) [deepest, violation] = [depth, found];
    }
  };

  for (const [start, belief] of before.entries()) visit(belief, 0n, 0, start);
  if (!isCutOff() && results.size > 0) return { beliefs: [...results.values()] };
  const beliefs = forgotten(before, events);
  // Steps through the events without judging them, because they still happened.
  for (const belief of beliefs) for (const event of events) belief.step(event);
  return violation === undefined || isCutOff() ? { beliefs } : { beliefs, violation };
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

/** Returns only the first belief, after it has forgotten the partitions of the events. */
function forgotten(beliefs: readonly Belief[], events: readonly ServiceEvent[]): readonly Belief[] {
  const first = beliefs.slice(0, 1);
  for (const belief of first) belief.forget(events.flatMap((event) => belief.partitions(event)));
  return first;
}

/** An event with its bit in the set of handled events. Equal labels: the order makes no difference. */
interface LabeledEvent extends TimedEvent {
  readonly label: string | undefined;
  readonly bit: bigint;
}

/** Returns the events that can come next: no unhandled event ended before they started. Skips duplicates. */
function nextEvents(group: readonly LabeledEvent[], handled: bigint): readonly LabeledEvent[] {
  const left = group.filter(({ bit }) => (handled & bit) === 0n);
  const firstEnd = Math.min(...left.map(({ receivedAt }) => receivedAt));
  const candidates = left.filter(({ sentAt }) => sentAt <= firstEnd);
  return candidates.filter(
    ({ label, receivedAt }, index) =>
      !candidates.slice(0, index).some((other) => other.label === label && other.receivedAt <= receivedAt),
  );
}

/** Returns equal labels for events whose order makes no difference: equal requests with equal outcomes. */
function labelsOf(events: readonly ServiceEvent[]): readonly string[] {
  const keys = events.map((event) => "exchange" in event && event.exchange.request.idempotencyKey);
  return events.map((event, index) => {
    if (event.kind === "restart") return `restart ${index}`;
    const { request, status, body } = event.exchange;
    const key = request.idempotencyKey;
    // An idempotency key that only one event of the group uses makes no difference.
    const isOnlyUse = keys.filter((other) => other === key).length === 1;
    const parts = [request.path, request.body, request.bearer, isOnlyUse ? "only use" : key];
    return JSON.stringify([...parts, status, body["code"]]);
  });
}
