import { formatOutcome } from "../../engine/outcome.ts";
import type { Exchange, StepPlace } from "../../engine/play/exchange.ts";
import { isAnswered, OUTCOMES } from "../operations.ts";
import { type Crowd, FILL } from "./fill.ts";
import { type Flood, judgeRefusal } from "./flood.ts";

/** Who comes, and for what. */
export interface Coming extends Flood {
  /** One creator who asks again and again; without one, everybody is somebody else. */
  readonly by?: string;
  readonly times: number;
}

const PATIENCE = [OUTCOMES.full, OUTCOMES.limited];

/**
 * Lets a crowd make an entry each, or one creator as many. It ends when the service has enough, which is no failure: it
 * may be full, and one creator may be asked for patience (the bounds are not shown: contract, "Limits"). What the
 * service answers before and after such a crowd is what a vector is about.
 * @returns the answer that ended it
 */
export async function crowd(
  world: Crowd,
  { store, open, rules, by, times }: Coming,
  at: StepPlace,
): Promise<Exchange | undefined> {
  const { host } = world;
  for (let count = 0; count < times; count++) {
    const { exchange } = await FILL[store](world, by ?? `crowd ${count}`, at);
    if (exchange.status === 200) continue;
    if (by === undefined) judgeRefusal(world, { exchange }, rules, at);
    else if (!PATIENCE.some((outcome) => isAnswered(outcome, exchange))) {
      const message = "whoever asks for much is served, or asked for patience";
      const expected = ["200", ...PATIENCE.map(formatOutcome)].join(" | ");
      host.unmet(at, rules, exchange, { message, expected, got: host.outcome(exchange) });
    }
    host.observe({ point: open, reading: "refused" });
    return exchange;
  }
  host.observe({ point: open, reading: "served" });
  return host.lastExchange;
}
