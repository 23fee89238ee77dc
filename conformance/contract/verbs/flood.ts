import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { StoreFull } from "../../engine/play/step-ends.ts";
import { BUILDS_PER_MINUTE, isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { adviceToState, type SeenRoom } from "../room.ts";
import { type Crowd, FILL, type Try } from "./fill.ts";
import { type Last, useYoungest } from "./youngest.ts";

/** How many entries the kit tries to store where the bound is not known, and at the most where it is. */
const TRIES: Readonly<Record<Store, { readonly unknown: number; readonly most: number }>> = {
  challenges: { unknown: 1500, most: 5000 },
  sessions: { unknown: 150, most: 300 },
  drafts: { unknown: 250, most: 600 },
};
/** Entries that one person makes: no more than every service must serve at one instant. */
const PER_PERSON: Readonly<Record<Store, number>> = { challenges: 1, sessions: 1, drafts: BUILDS_PER_MINUTE };

const FULL = formatOutcome(OUTCOMES.full);

/** A limit on what all creators ask for: it lets one of them keep the others out. */
const LIMIT_FOR_ALL = "LIMIT-31";

/** What is to be filled, and what that speaks for. */
export interface Flood {
  readonly store: Store;
  /** The open point that tells whether the bound was reached. */
  readonly open: string;
  /** Whether the entry that was stored last is used once the store is full. */
  readonly youngest?: boolean;
  readonly rules: readonly string[];
}

/**
 * Fills a store until the service says that it is full (contract, "Limits"; the bound itself is not shown). Reaching
 * the bound must be 429 `OFFLINE_CAPACITY`; not reaching it is recorded and no failure, unless the implementation
 * itself states a bound that was passed, or that it does not hold.
 * @returns the answer that ended it
 * @throws {StoreFull} for a bound that was seen to be small and is not stated
 */
export async function flood(
  world: Crowd,
  { store, open, youngest = false, rules }: Flood,
  at: StepPlace,
): Promise<Exchange | undefined> {
  const { host } = world;
  const stated = host.info.facts.capacity[store];
  const room: SeenRoom = host.room;
  if (stated === undefined && room[store] !== undefined) throw new StoreFull(adviceToState(store, room));
  const { unknown, most } = TRIES[store];
  let last: Last | undefined;
  const tries = Math.min(stated === undefined ? unknown : stated + 1, most);
  for (let count = 0; count < tries; count++) {
    const actor = `crowd ${Math.floor(count / PER_PERSON[store])}`;
    const tried = await FILL[store](world, actor, at);
    if (tried.exchange.status === 200) {
      last = { actor, exchange: tried.exchange };
      continue;
    }
    const reached = judgeRefusal(world, tried, rules, at) && tried.ofStore;
    host.observe({ point: open, reading: reached ? "reached" : "not-reached" });
    if (reached && youngest && last !== undefined) await useYoungest(world, store, last, at);
    return tried.exchange;
  }
  if (stated !== undefined && tries > stated) {
    const message = `the bound of ${stated} ${store} that the implementation states is kept`;
    host.unmet(at, rules, host.lastExchange, { message, expected: FULL, got: "200" });
  }
  host.observe({ point: open, reading: "not-reached" });
  return host.lastExchange;
}

/** Whether the refusal of one more entry says that its store is full. Ends the step where it may not come. */
export function judgeRefusal(
  { host, stored }: Crowd,
  { exchange }: Pick<Try, "exchange">,
  rules: readonly string[],
  at: StepPlace,
): boolean {
  const store = (STORE_OF as Readonly<Record<string, Store>>)[exchange.operation] ?? "drafts";
  const stated = host.info.facts.capacity[store];
  const got = host.outcome(exchange);
  if (isAnswered(OUTCOMES.full, exchange)) {
    if (stored.reachesStated(store) !== false) return true;
    const message = `the ${stated} ${store} that the implementation states find room: so far it stored ${stored.count(store)}`;
    return host.unmet(at, rules, exchange, { message, expected: "200", got });
  }
  if (
    store !== "challenges" ||
    !isAnswered(OUTCOMES.limited, exchange) ||
    stored.count(store) >= (stated ?? Infinity)
  ) {
    const message = `a full store is answered ${FULL}`;
    const accepted = [OUTCOMES.served, OUTCOMES.full];
    host.unmet(at, rules, exchange, { message, expected: `200, or ${FULL}`, got, accepted });
  }
  const message = `challenges of all creators together are limited: after ${stored.count(store)}, ${got}`;
  host.advise({ rule: LIMIT_FOR_ALL, message });
  return false;
}
