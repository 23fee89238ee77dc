import type { Asked, ClientReading, Launch } from "./client-reading.ts";

/** The requests that a launch may have sent, in their order; of launches that run side by side some may be another's. */
export function requestsOf(launch: Launch, { asked }: ClientReading): readonly Asked[] {
  return asked.filter(({ launches }) => launches.includes(launch));
}

/**
 * The requests whose answers a launch may have heard of: its own, and those of others while it ran, since launches that run
 * side by side may ask for the profile, sign in and wait together.
 */
export function heardBy(launch: Launch, { asked }: ClientReading): readonly Asked[] {
  const { creator, record } = launch;
  return asked.filter((one) => {
    const meanwhile = record.fromTurn <= one.turn.index && one.turn.index < record.toTurn;
    const shared = one.operation === "platform" || one.creator === creator;
    return one.launches.includes(launch) || (meanwhile && shared);
  });
}
