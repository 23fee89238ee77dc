import type { Asked, ClientReading, Launch } from "./client-reading.ts";

/** The requests that a launch may have sent, in their order; of launches that run side by side some may be another's. */
export function requestsOf(launch: Launch, { asked }: ClientReading): readonly Asked[] {
  return asked.filter(({ launches }) => launches.includes(launch));
}
