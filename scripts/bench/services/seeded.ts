/**
 * The reference with random bytes that are the same in each process, so that what was recorded of one run is answered the
 * same when it is sent again.
 */
import { createHash } from "node:crypto";
import { createService as create, type ServiceOptions } from "../../../reference/service.ts";

export { capabilities, facts, implementation } from "../../../reference/service.ts";

/** Of all services together: what starts anew must not give what was given before. */
let drawn = 0;

/** Begins with the first of the random bytes, as a new process does. */
export function reseed(): void {
  drawn = 0;
}

export function createService(options: ServiceOptions): ReturnType<typeof create> {
  const random = (bytes: number) => {
    drawn += 1;
    return createHash("sha512").update(`${drawn}`).digest().subarray(0, bytes);
  };
  return create({ ...options, random });
}
