import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { StoreFull } from "../../engine/play/step-ends.ts";
import { ROOM } from "../../engine/vectors/need.ts";
import { isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { adviceToState, type SeenRoom } from "../room.ts";
import { type Crowd, FILL, type Try } from "./fill.ts";
import type { Youngest } from "./youngest.ts";

/** Up to how many entries a store is filled where its bound is not known, and at the most where it is. */
const TRIES: Readonly<Record<Store, { readonly unknown: number; readonly most: number }>> = {
  challenges: { unknown: 1500, most: 5000 },
  sessions: { unknown: 300, most: 300 },
  drafts: { unknown: 300, most: 600 },
};

const FULL = formatOutcome(OUTCOMES.full);

/** A limit on what all creators ask for: it lets one of them keep the others out. */
const LIMIT_FOR_ALL = "LIMIT-31";

/** Which store entries are made for, and what that speaks for. */
export interface Filling {
  readonly store: Store;
  readonly rules: readonly string[];
}

/** What is to be filled. */
export interface Flood extends Filling {
  /** The open point that tells whether the bound was reached. */
  readonly open: string;
  /** Whether the store was filled before, which told of the point. */
  readonly again: boolean;
}

/** What came of a flood. */
export interface Flooded {
  /** The answer that ended it. */
  readonly last: Exchange | undefined;
  /** The entry that was stored last, where the store then refused one more. */
  readonly youngest?: Youngest;
}

/**
 * Fills a store, with what it holds already, until the service says that it is full (contract, "Limits"; the bound
 * itself is not shown). Reaching the bound must be 429 `OFFLINE_CAPACITY`; not reaching it is recorded and no failure,
 * unless the implementation itself states a bound that was passed, or that it does not hold.
 * @throws {StoreFull} for a bound that was seen to be small and is not stated
 */
export async function flood(
  world: Crowd,
  { store, open, rules, again }: Flood,
  at: StepPlace,
): Promise<Flooded> {
  const { host } = world;
  const tell = (reading: string) => {
    if (!again) host.observe({ point: open, reading });
  };
  const stated = host.info.facts.capacity[store];
  const room: SeenRoom = host.room;
  if (stated === undefined && room[store] !== undefined)
    throw new StoreFull({ reason: adviceToState(store, room), lacks: [ROOM] });
  const { unknown, most } = TRIES[store];
  const enough = stated === undefined ? unknown : Math.min(stated, most) + 1;
  const alive = world.alive(store);
  let youngest: Youngest | undefined;
  for (let tries = 0; tries < enough && alive.count(host.nowMs) < enough; tries++) {
    const next = await oneMore(world, store, at);
    if (next === undefined) break;
    const { actor, exchange, ofStore } = next;
    alive.note(exchange);
    if (exchange.status === 200) {
      youngest = { store, actor, exchange };
      continue;
    }
    const full = judgeRefusal(world, next, rules, at);
    // Nobody else can sign in; who has may still build.
    if (store === "drafts" && !ofStore) continue;
    const reached = full && ofStore;
    tell(reached ? "reached" : "not-reached");
    return { last: exchange, ...(reached && youngest !== undefined ? { youngest } : {}) };
  }
  if (stated !== undefined && alive.count(host.nowMs) > stated) {
    const message = `the bound of ${stated} ${store} that the implementation states is kept`;
    host.unmet(at, rules, host.lastExchange, { message, expected: FULL, got: "200" });
  }
  tell("not-reached");
  return { last: host.lastExchange };
}

/** Lets one more entry be made; undefined where nobody can. */
async function oneMore(
  world: Crowd,
  store: Store,
  at: StepPlace,
): Promise<(Try & { readonly actor: string }) | undefined> {
  const { comers } = world;
  const actor = store === "drafts" ? comers.builder() : comers.newcomer();
  if (actor === undefined) return undefined;
  const tried = await FILL[store](world, actor, at);
  if (store === "drafts") comers.tried(actor, tried);
  return { ...tried, actor };
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
