import type { ServedContract } from "../../adapters/adapter.ts";

/** A contract that the services of the adapters' tests are asked by. */
export const SERVED: ServedContract = {
  id: "counter-1",
  identity: { request: { method: "GET", path: "/counter" } },
};
