/**
 * The reference with random bytes that are the same in each process, so that what was recorded of one run is answered the
 * same when it is sent again.
 */
import { createHash } from "node:crypto";
import { createService as create, type ServiceOptions } from "../../../reference/service.ts";

export { capabilities, facts, implementation } from "../../../reference/service.ts";

/** Services so far: what starts anew must not give what was given before. */
let services = 0;

/** Begins with the first of the random bytes, as a new process does. */
export function reseed(): void {
  services = 0;
}

export function createService(options: ServiceOptions): ReturnType<typeof create> {
  services += 1;
  // Of its own, so that one answer more or less of this service changes nothing in the next.
  const own = services;
  let drawn = 0;
  const random = (bytes: number) => {
    drawn += 1;
    return createHash("sha512").update(`${own} ${drawn}`).digest().subarray(0, bytes);
  };
  return create({ ...options, random });
}
