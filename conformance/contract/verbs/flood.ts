import type { WorldHost } from "../../engine/contract.ts";
import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import type { Template } from "../../engine/vectors/vector.ts";
import type { KeyPair } from "../keys/key-pair.ts";
import { BUILDS_PER_MINUTE, isAnswered, OUTCOMES, type Store } from "../operations.ts";
import type { People } from "./people.ts";
import { challengeMembers, operationRequest } from "./requests.ts";
import type { signIn } from "./sign-in.ts";

/** How many entries the kit tries to store where the bound is not known, and at the most where it is. */
const TRIES: Readonly<Record<Store, { readonly unknown: number; readonly most: number }>> = {
  challenges: { unknown: 1500, most: 5000 },
  sessions: { unknown: 150, most: 300 },
  drafts: { unknown: 150, most: 600 },
};
/** More than this from one creator and a service may rightly ask for patience before its store is full. */
const CHALLENGES_PER_PERSON = 5;

const FULL = formatOutcome(OUTCOMES.full);

/** What of a world fills its service's stores. */
export interface Crowd {
  readonly host: WorldHost;
  readonly people: Pick<People, "bearerOf">;
  /** The profile of the service, once it was asked for. */
  readonly profile: Exchange["body"] | undefined;
  keyPair(name: string): KeyPair;
  freshKey(): string;
  launchMembers(actor: string, key: string | undefined): Readonly<Record<string, Template>>;
  signIn(actor: string, at: StepPlace): ReturnType<typeof signIn<Exchange>>;
}

/** What is to be filled, and what that speaks for. */
export interface Flood {
  readonly store: string;
  /** The open point that tells whether the bound was reached. */
  readonly open: string;
  readonly rules: readonly string[];
}

/**
 * Fills a store until the service says that it is full (contract, "Limits"; the bound itself is not shown). Reaching
 * the bound must be 429 `OFFLINE_CAPACITY`; not reaching it is recorded and no failure, unless the implementation
 * itself states a bound that was passed.
 * @returns the answer that ended it
 */
export async function flood(
  world: Crowd,
  { store: name, open, rules }: Flood,
  at: StepPlace,
): Promise<Exchange | undefined> {
  const { host } = world;
  const store = name as Store;
  const stated = host.info.facts.capacity[store];
  const { unknown, most } = TRIES[store];
  const tries = Math.min(stated === undefined ? unknown : stated + 1, most);
  for (let count = 0; count < tries; count++) {
    const { exchange, ofStore } = await FILL[store](world, count, at);
    if (exchange.status === 200) continue;
    if (!isAnswered(OUTCOMES.full, exchange)) {
      const message = `a full store is answered ${FULL}`;
      const expected = `200, or ${FULL}`;
      host.unmet(at, rules, exchange, { message, expected, got: host.outcome(exchange) });
    }
    host.observe({ point: open, reading: ofStore ? "reached" : "not-reached" });
    return exchange;
  }
  if (stated !== undefined && tries > stated) {
    const message = `the bound of ${stated} ${store} that the implementation states is kept`;
    host.unmet(at, rules, host.lastExchange, { message, expected: FULL, got: "200" });
  }
  host.observe({ point: open, reading: "not-reached" });
  return host.lastExchange;
}

/** The answer that ended a try, and whether it came from the store that is to be filled. */
interface Try {
  readonly exchange: Exchange;
  readonly ofStore: boolean;
}

type Fill = (world: Crowd, count: number, at: StepPlace) => Promise<Try>;

const storeSession: Fill = async (world, count, at) => {
  const { challenge, session } = await world.signIn(`crowd ${count}`, at);
  return { exchange: session ?? challenge, ofStore: session !== undefined };
};

/** How the next entry of each store is made. */
const FILL: Readonly<Record<Store, Fill>> = {
  async challenges(world, count, at) {
    const person = Math.floor(count / CHALLENGES_PER_PERSON);
    const { address } = world.keyPair(`crowd ${person}`);
    const members = challengeMembers(address, world.profile?.["termsHash"]);
    return {
      exchange: await world.host.exchange(operationRequest("challenge", members, {}), at),
      ofStore: true,
    };
  },
  sessions: storeSession,
  async drafts(world, count, at) {
    const person = Math.floor(count / BUILDS_PER_MINUTE);
    const actor = `crowd ${person}`;
    if (world.people.bearerOf(actor) === undefined) {
      const { exchange } = await storeSession(world, person, at);
      if (exchange.status !== 200) return { exchange, ofStore: false };
    }
    const key = world.freshKey();
    const bearer = world.people.bearerOf(actor);
    const credentials = { key, ...(bearer === undefined ? {} : { bearer }) };
    const request = operationRequest("build", world.launchMembers(actor, key), {}, credentials);
    return { exchange: await world.host.exchange(request, at), ofStore: true };
  },
};
