import { createHash } from "node:crypto";
import type { Service, ServiceCall, ServiceModule } from "../../adapters/in-process.ts";
import type { Answer, Call, HiddenFault } from "./hidden-fault.ts";

/** The reference with a hidden fault; each call gives one that remembers nothing yet. */
export function faultyService(reference: ServiceModule, { make }: HiddenFault): ServiceModule {
  const wrap = make();
  let instances = 0;
  return {
    facts: reference.facts,
    capabilities: reference.capabilities,
    async createService({ now }) {
      instances += 1;
      const label = `instance ${instances}`;
      // All references within one service instance make the same ids and bearers, and start at once, without a promise.
      const start = (clock: () => number) => {
        const options = { now: clock, random: randomOf(label) };
        const service = reference.createService(options) as Service;
        return (call: Call) => service.handle(call as ServiceCall) as Answer;
      };
      return { handle: wrap(start, now) };
    },
  };
}

/** A stream of bytes that belongs to a label. */
function randomOf(label: string): (bytes: number) => Uint8Array {
  let drawn = 0;
  return (bytes) => {
    drawn += 1;
    return new Uint8Array(createHash("sha512").update(`${label} ${drawn}`).digest().subarray(0, bytes));
  };
}
