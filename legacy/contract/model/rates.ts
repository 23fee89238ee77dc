import type { Moment } from "../../engine/search/model.ts";
import { RateBelief } from "./rate-belief.ts";
import type { ModelContext, ServiceInstance } from "./state.ts";

/** What is known of the limiter for this creator in this instance of the service. */
export function rateBelief(
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
