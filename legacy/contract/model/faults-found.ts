import type { BodyReading } from "./body-reading.ts";
import type { RequestFault } from "./request-fault.ts";

/** Finds the faults of a body that hang on what is known besides it. */
type Find = (body: BodyReading) => readonly RequestFault[];

/**
 * Remembers the faults of bodies that were read: they are found once for all that they hang on.
 * @returns gives them by the body and by what is known besides it, in a fixed order
 */
export function faultsFound(): (
  body: BodyReading,
  by: readonly unknown[],
  find: Find,
) => readonly RequestFault[] {
  const found = new WeakMap<
    BodyReading,
    { readonly by: readonly unknown[]; readonly faults: readonly RequestFault[] }
  >();
  return (body, by, find) => {
    const known = found.get(body);
    if (known?.by.every((one, place) => one === by[place])) return known.faults;
    const faults = find(body);
    found.set(body, { by, faults });
    return faults;
  };
}
