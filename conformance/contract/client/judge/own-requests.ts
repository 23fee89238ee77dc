import type { Asked, ClientReading, Launch } from "./client-reading.ts";

/**
 * The requests that a launch may have sent, or whose answers it may have heard of, in their order: launches that run side by
 * side may ask for the profile, sign in and wait together.
 */
export function requestsOf(launch: Launch, { asked }: ClientReading): readonly Asked[] {
  return asked.filter(({ launches }) => launches.includes(launch));
}
