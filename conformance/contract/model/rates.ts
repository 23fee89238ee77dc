import type { Moment } from "../../engine/search/model.ts";
import { RateBelief, type RateKnowledge } from "./rate-belief.ts";
import { RateBounds } from "./rate-bounds.ts";
import type { ModelContext, ServiceInstance } from "./state.ts";

/** Where builds may have been made unseen, and made again: whatever a limiter does, they explain it. */
const UNKNOWN_RATE: RateKnowledge = {
  verdict: () => "either",
  accepted: () => undefined,
  maybeAccepted: () => undefined,
  limited: () => undefined,
  refused: () => undefined,
};

/** What is known of the limiter for a creator who was seen asking, by whomever. */
export function rateKnowledge(
  service: ServiceInstance,
  creator: string,
  now: Moment,
  context: ModelContext,
): RateKnowledge {
  if (context.inPart) return UNKNOWN_RATE;
  if (!context.recorded) return rateBelief(service, creator, now, context);
  const known = service.bounds.get(creator) ?? new RateBounds(context.doubt);
  service.bounds.set(creator, known);
  return known;
}

/** What is known of the limiter for this creator in this instance of the service. */
function rateBelief(
  service: ServiceInstance,
  creator: string,
  now: Moment,
  { doubt }: ModelContext,
): RateBelief {
  const known = service.rates.get(creator);
  if (known !== undefined) return known;
  const fresh = new RateBelief(anchorsOf(service, creator), doubt);
  const former = service.formerRates.get(creator);
  const belief = former === undefined ? fresh : former.restarted(fresh, now);
  service.rates.set(creator, belief);
  return belief;
}

function anchorsOf(service: ServiceInstance, creator: string): readonly number[] {
  const own = [...service.challenges.values(), ...service.sessions.values()].filter(
    (entry) => entry.creator === creator,
  );
  return [service.started, ...own.map(({ issued }) => issued)].map(({ earliest }) => earliest);
}
