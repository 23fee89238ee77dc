import { createHash } from "node:crypto";
import {
  inProcessAdapter,
  type Service,
  type ServiceCall,
  type ServiceModule,
} from "../../adapters/in-process.ts";
import { SEARCHES } from "../../contract/searches.ts";
import type { RunPropertiesOptions } from "../../engine/search/run-properties.ts";
import type { Answer, Call, HiddenFault } from "../../mutants/hidden/hidden-fault.ts";
import { contract } from "../contract-data.ts";
import { reference } from "../reference.ts";

/** A stage on which tests run properties. */
export function stageOf(seed: number) {
  return { contract, seed, resolutionMs: 1, clockToleranceMs: 0 };
}

/** What properties need to be run over a module: the reference unless told. */
export async function propertyOptions(seed: number, runs: number, serviceModule: ServiceModule = reference) {
  const connect = () => inProcessAdapter(serviceModule, { name: "tried" }).connect();
  const { info } = await connect();
  const { properties } = SEARCHES;
  return { properties, connect, info, stage: stageOf(seed), runs } satisfies RunPropertiesOptions;
}

/** The reference with a hidden fault; each call gives one that remembers nothing yet. */
export function withFault({ make }: HiddenFault): ServiceModule {
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
