import type { Moment } from "./moment.ts";
import { RateBelief } from "./rate-belief.ts";
import type { ModelContext, ServiceLife } from "./state.ts";

/** What is known of the limiter for this creator in this life of the service. */
export function rateBelief(
  life: ServiceLife,
  creator: string,
  now: Moment,
  { doubt }: ModelContext,
): RateBelief {
  const known = life.rates.get(creator);
  if (known !== undefined) return known;
  const fresh = new RateBelief(anchorsOf(life, creator), doubt);
  const former = life.formerRates.get(creator);
  const belief = former === undefined ? fresh : former.restarted(fresh, now);
  life.rates.set(creator, belief);
  return belief;
}

function anchorsOf(life: ServiceLife, creator: string): readonly number[] {
  const own = [...life.challenges.values(), ...life.sessions.values()].filter(
    (entry) => entry.creator === creator,
  );
  return [life.started, ...own.map(({ issued }) => issued)].map(({ earliest }) => earliest);
}
