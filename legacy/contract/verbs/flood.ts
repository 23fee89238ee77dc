import type { WorldHost } from "../../engine/contract.ts";
import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { StoreFull } from "../../engine/play/step-ends.ts";
import { ROOM } from "../../engine/vectors/need.ts";
import type { Template } from "../../engine/vectors/vector.ts";
import type { KeyPair } from "../keys/key-pair.ts";
import type { ProofSpec } from "../keys/proof.ts";
import { isAnswered, OUTCOMES, STORE_OF, type Store } from "../operations.ts";
import { adviceToState, type SeenRoom } from "../room.ts";
import type { People } from "./people.ts";
import { challengeMembers, operationRequest, verifyMembers } from "./requests.ts";
import { messageText, type signIn } from "./sign-in.ts";
import type { Alive, Comers, Stored } from "./stored.ts";

/** The parts of the test context that fill the service's stores. */
interface Crowd {
  readonly host: WorldHost;
  readonly comers: Comers;
  /** The entries of a store that are surely alive. */
  alive(store: Store): Alive;
  readonly people: Pick<People, "bearerOf">;
  readonly stored: Stored;
  /** The profile of the service, once requested. */
  readonly profile: Exchange["body"] | undefined;
  keyPair(name: string): KeyPair;
  freshKey(): string;
  launchMembers(actor: string, key: string | undefined): Readonly<Record<string, Template>>;
  proof(spec: Omit<ProofSpec, "signedBytes">): string;
  signIn(actor: string, at: StepPlace): ReturnType<typeof signIn<Exchange>>;
}

/** The response that ended an attempt, and whether it is that of the store to fill. */
interface Try {
  readonly exchange: Exchange;
  readonly ofStore: boolean;
}

type Fill = (world: Crowd, actor: string, at: StepPlace) => Promise<Try>;

const storeSession: Fill = async (world, actor, at) => {
  const { challenge, session } = await world.signIn(actor, at);
  return { exchange: session ?? challenge, ofStore: session !== undefined };
};

/** By store, how an actor makes the next entry. */
const FILL: Readonly<Record<Store, Fill>> = {
  async challenges(world, actor, at) {
    const members = challengeMembers(world.keyPair(actor).address, world.profile?.["termsHash"]);
    return {
      exchange: await world.host.exchange(operationRequest("challenge", members, {}), at),
      ofStore: true,
    };
  },
  sessions: storeSession,
  async drafts(world, actor, at) {
    if (world.people.bearerOf(actor) === undefined) {
      const { exchange } = await storeSession(world, actor, at);
      if (exchange.status !== 200) return { exchange, ofStore: false };
    }
    const key = world.freshKey();
    const bearer = world.people.bearerOf(actor);
    const credentials = { key, ...(bearer === undefined ? {} : { bearer }) };
    const request = operationRequest("build", world.launchMembers(actor, key), {}, credentials);
    return { exchange: await world.host.exchange(request, at), ofStore: true };
  },
};

/** Maximum number of entries with which a store is filled, where its capacity is unknown and where it is stated. */
const TRIES: Readonly<Record<Store, { readonly unknown: number; readonly most: number }>> = {
  challenges: { unknown: 1500, most: 5000 },
  sessions: { unknown: 300, most: 300 },
  drafts: { unknown: 300, most: 600 },
};

const FULL = formatOutcome(OUTCOMES.full);

/** Rule against a limit for all creators together: it lets one of them keep the others out. */
const LIMIT_FOR_ALL = "LIMIT-31";

/** A store to fill, and the rules that this tests. */
interface Filling {
  readonly store: Store;
  readonly rules: readonly string[];
}

/** A store to fill to capacity. */
export interface Flood extends Filling {
  /** The open point that records whether the capacity was reached. */
  readonly open: string;
  /** Whether the store was filled before, so that the point is already recorded. */
  readonly again: boolean;
}

/** Result of filling a store. */
interface Flooded {
  /** The response that ended it. */
  readonly last: Exchange | undefined;
  /** The last entry stored, where the store then refused one more. */
  readonly youngest?: Youngest;
}

/**
 * Fills a store until the service says that it is full (contract, "Limits"; the capacity is not shown). A full store must
 * answer 429 `OFFLINE_CAPACITY`. Not reaching the capacity is recorded, and is a failure only where the implementation states
 * a capacity that it exceeds or does not offer.
 * @throws {StoreFull} for an observed small capacity that is not stated
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
    // No other actor can sign in; those with a session may still build.
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

/** Makes one more entry; undefined where no actor can. */
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

/** Whether a refusal says that the store is full. Ends the step where the refusal is illegal. */
function judgeRefusal(
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

/** A crowd of actors, and what they request. */
export interface Coming extends Filling {
  /** The open point that records whether all were served. */
  readonly open?: string | undefined;
  /** The creator of all requests; by default each has its own. */
  readonly by?: string | undefined;
  readonly times: number;
  /** Number of entries that must still fit in the end, where the capacity is stated. */
  readonly leaving?: number | undefined;
}

const PATIENCE = [OUTCOMES.full, OUTCOMES.limited];

/** Drafts of stated capacity for each of a crowd: each leaves space for one of others, since sessions are slow to open. */
const DRAFTS_OF_EACH = 2;

/**
 * Lets each of a crowd make an entry, or one creator that many. It ends without failure when the service refuses more: it
 * may be full, or limit one creator (the limits are not shown: contract, "Limits"). Vectors test the responses before and
 * after such a crowd.
 * @returns the response that ended it
 */
export async function crowd(world: Crowd, coming: Coming, at: StepPlace): Promise<Exchange | undefined> {
  const { store, open, rules, by, times, leaving } = coming;
  const { host, comers } = world;
  const tell = (reading: string) => open !== undefined && host.observe({ point: open, reading });
  const { [store]: stated = Infinity } = host.info.facts.capacity;
  const alive = leaving === undefined ? undefined : world.alive(store);
  const most = by === undefined ? Math.min(times, ofDrafts(world, store)) : times;
  for (let count = 0; count < most; count++) {
    if (alive !== undefined && alive.count(host.nowMs) >= stated - (leaving ?? 0)) return host.lastExchange;
    const actor = by ?? (store === "drafts" ? comers.newBuilder() : comers.newcomer());
    if (actor === undefined) return host.lastExchange;
    const tried = await FILL[store](world, actor, at);
    const { exchange } = tried;
    alive?.note(exchange);
    if (by === undefined && store === "drafts") comers.tried(actor, tried);
    if (exchange.status === 200) continue;
    if (by === undefined) judgeRefusal(world, tried, rules, at);
    else if (!PATIENCE.some((outcome) => isAnswered(outcome, exchange))) {
      const message = "whoever asks for much is served, or asked for patience";
      const expected = ["200", ...PATIENCE.map(formatOutcome)].join(" | ");
      host.unmet(at, rules, exchange, { message, expected, got: host.outcome(exchange) });
    }
    tell("refused");
    return exchange;
  }
  if (most === times) tell("served");
  return host.lastExchange;
}

/** Maximum size of a crowd that builds drafts. */
function ofDrafts({ host }: Crowd, store: Store): number {
  const { drafts = Infinity } = host.info.facts.capacity;
  return store === "drafts" ? Math.ceil(drafts / DRAFTS_OF_EACH) : Infinity;
}

/** Rule that a full store keeps its live entries (contract, "Limits"). */
const KEPT = "LIMIT-17";

/** The last entry of a store before it was full: its actor, and the response that gave it. */
export interface Youngest {
  readonly store: Store;
  readonly actor: string;
  readonly exchange: Exchange;
}

/**
 * Uses the last entry of a store that has refused one more: a store that evicts entries may evict the youngest.
 * @returns the response
 */
export async function useYoungest(world: Crowd, youngest: Youngest, at: StepPlace): Promise<Exchange> {
  const { host } = world;
  const { store } = youngest;
  const { exchange, expected } = await USE[store](world, youngest, at);
  // A full store may refuse first.
  if (expected(exchange) || isAnswered(OUTCOMES.full, exchange)) return exchange;
  const message = `the youngest of the ${store} still exists after one more was refused`;
  return host.unmet(at, [KEPT], exchange, {
    message,
    expected: store === "drafts" ? formatOutcome(OUTCOMES.conflict) : "200",
    got: host.outcome(exchange),
  });
}

/** The response to a use, and whether it shows that the entry exists. */
interface Used {
  readonly exchange: Exchange;
  readonly expected: (exchange: Exchange) => boolean;
}

const served = ({ status }: Exchange) => status === 200;

const USE: Readonly<Record<Store, (world: Crowd, youngest: Youngest, at: StepPlace) => Promise<Used>>> = {
  async challenges(world, { actor, exchange: { body } }, at) {
    const text = messageText(body["message"]);
    const members = verifyMembers(body["id"], world.proof({ signer: world.keyPair(actor), text }));
    const exchange = await world.host.exchange(operationRequest("verify", members, {}), at);
    return { exchange, expected: served };
  },
  async sessions(world, { actor }, at) {
    return { exchange: (await FILL.drafts(world, actor, at)).exchange, expected: served };
  },
  // A retry would get a new draft that is the same in everything; other input shows whether the key is known.
  async drafts(world, { exchange: { request } }, at) {
    const members = { ...JSON.parse(String(request.body)), name: "Another Coin" };
    const exchange = await world.host.exchange({ ...request, body: JSON.stringify(members) }, at);
    const spent = [OUTCOMES.conflict, OUTCOMES.limited];
    return { exchange, expected: (answer) => spent.some((outcome) => isAnswered(outcome, answer)) };
  },
};
