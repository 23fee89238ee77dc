import type { ServiceCall, ServiceModule } from "../../adapters/in-process.ts";
import { type Amount, COUNTER_LIMIT, counterOperationOf, isAmount } from "./counter-operations.ts";

/** How a counter counts: what a broken one does in another way. */
export interface Counting {
  /** How much an addition adds. */
  readonly added: (by: Amount) => number;
  /** Whether there is room for so much. */
  readonly fits: (value: number) => boolean;
  /** Whether an addition is kept, by its place among those since the start: 1 is the first. */
  readonly keeps: (place: number) => boolean;
  /** Status of a refusal for want of room. */
  readonly fullStatus: 409 | 422;
}

const HONEST: Counting = {
  added: (by) => by,
  fits: (value) => value <= COUNTER_LIMIT,
  keeps: () => true,
  fullStatus: 409,
};

/** A counter that does as its contract says, but for what is changed. */
export function counter(changed: Partial<Counting> = {}): ServiceModule {
  const { added, fits, keeps, fullStatus } = { ...HONEST, ...changed };
  return {
    implementation: { name: "counter", version: "1" },
    // The counter has no use for hosts: the adapter protocol asks every implementation for two.
    facts: { metadataHosts: ["one.example", "two.example"] },
    createService() {
      let value = 0;
      let additions = 0;
      const add = (by: Amount) => {
        const sum = value + added(by);
        if (!fits(sum)) return refusal(fullStatus, "FULL");
        additions += 1;
        if (keeps(additions)) value = sum;
        return { status: 200, body: { value: sum } };
      };
      return {
        handle({ method, path, body }: ServiceCall) {
          switch (counterOperationOf(method, path)) {
            case "add": {
              const { by } = JSON.parse(String(body)) as { readonly by: unknown };
              return isAmount(by) ? add(by) : refusal(400, "BAD_AMOUNT");
            }
            case "read":
              return { status: 200, body: { value } };
            default:
              return refusal(404, "NOT_FOUND");
          }
        },
      };
    },
  };
}

function refusal(status: number, error: string) {
  return { status, body: { error } };
}
