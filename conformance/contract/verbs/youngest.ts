import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES, type Store } from "../operations.ts";
import { type Crowd, FILL } from "./fill.ts";
import { operationRequest, verifyMembers } from "./requests.ts";
import { messageText } from "./sign-in.ts";

/** What was stored is kept (contract, "Limits"): nothing live makes room for something else. */
const KEPT = "LIMIT-17";

/** The entry that a store took last before it was full: who made it, and the answer to that. */
export interface Youngest {
  readonly store: Store;
  readonly actor: string;
  readonly exchange: Exchange;
}

/**
 * Uses the entry that a store took last, after it has refused one more: a store that makes room by throwing something
 * out may do so with the youngest.
 * @returns the answer
 */
export async function useYoungest(world: Crowd, youngest: Youngest, at: StepPlace): Promise<Exchange> {
  const { host } = world;
  const { store } = youngest;
  const { exchange, expected } = await USE[store](world, youngest, at);
  // Where a store is full, that may be said first.
  if (expected(exchange) || isAnswered(OUTCOMES.full, exchange)) return exchange;
  const message = `the youngest of the ${store} is kept when one more is refused`;
  return host.unmet(at, [KEPT], exchange, {
    message,
    expected: store === "drafts" ? formatOutcome(OUTCOMES.conflict) : "200",
    got: host.outcome(exchange),
  });
}

/** The answer to a use, and whether it shows that the entry is there. */
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
