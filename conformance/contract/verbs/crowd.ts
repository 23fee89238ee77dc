import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES, type Store } from "../operations.ts";
import { type Crowd, FILL } from "./fill.ts";
import { type Filling, judgeRefusal } from "./flood.ts";

/** Who comes, and for what. */
export interface Coming extends Filling {
  /** The open point that tells whether all were served, where one does. */
  readonly open?: string | undefined;
  /** One creator who asks again and again; without one, everybody is somebody else. */
  readonly by?: string | undefined;
  readonly times: number;
  /** For how many more entries there is to be room in the end, where the bound is stated. */
  readonly leaving?: number | undefined;
}

const PATIENCE = [OUTCOMES.full, OUTCOMES.limited];

/** Sessions are dear to open: where the bound of drafts is stated, each of a crowd leaves room for one of others. */
const DRAFTS_OF_EACH = 2;

/**
 * Lets a crowd make an entry each, or one creator as many. It ends when the service has enough, which is no failure: it
 * may be full, and one creator may be asked for patience (the bounds are not shown: contract, "Limits"). What the
 * service answers before and after such a crowd is what a vector is about.
 * @returns the answer that ended it
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

/** How many of a crowd come for a draft each. */
function ofDrafts({ host }: Crowd, store: Store): number {
  const { drafts = Infinity } = host.info.facts.capacity;
  return store === "drafts" ? Math.ceil(drafts / DRAFTS_OF_EACH) : Infinity;
}
