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
      const instance = instances;
      let calls = 0;
      // All references within one service instance start at once, without a promise, and make the same ids and bearers at
      // each call: whatever one of them has drawn at another, or not.
      const start = (clock: () => number) => {
        const options = { now: clock, random: randomOf(() => `instance ${instance} call ${calls}`) };
        const service = reference.createService(options) as Service;
        return (call: Call) => service.handle(call as ServiceCall) as Answer;
      };
      const handle = wrap(start, now);
      return {
        handle(call) {
          calls += 1;
          return handle(call);
        },
      };
    },
  };
}

/** A stream of bytes that belongs to a label, and begins anew with another. */
function randomOf(label: () => string): (bytes: number) => Uint8Array {
  let [of, drawn] = ["", 0];
  return (bytes) => {
    drawn = of === label() ? drawn + 1 : 1;
    of = label();
    return new Uint8Array(createHash("sha512").update(`${of} ${drawn}`).digest().subarray(0, bytes));
  };
}
