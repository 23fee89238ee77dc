import { inProcessAdapter, type ServiceCall, type ServiceModule } from "../../adapters/in-process.ts";
import { contract, schemas } from "../../testing/contract-data.ts";
import { reference } from "../../testing/reference.ts";
import type { RunPropertiesOptions } from "../run-properties.ts";
import type { Answer, Sabotage } from "./sabotage.ts";

/** A stage on which tests run properties. */
export function stageOf(seed: number) {
  return { contract, schemas, seed, resolutionMs: 1, clockToleranceMs: 0 };
}

/** What properties need to be run over a module: the reference unless told. */
export async function propertyOptions(seed: number, runs: number, serviceModule: ServiceModule = reference) {
  const connect = () => inProcessAdapter(serviceModule, { name: "tried" }).connect();
  const { info } = await connect();
  return { connect, info, stage: stageOf(seed), runs } satisfies RunPropertiesOptions;
}

/** The reference, wrapped by a sabotage; each call gives one that remembers nothing yet. */
export function sabotaged({ make }: Sabotage): ServiceModule {
  const wrap = make();
  return {
    facts: reference.facts,
    capabilities: reference.capabilities,
    async createService({ now }) {
      // The wrapper starts the good service under a clock of its choice, at once: the reference's start is synchronous.
      const start = (clock: () => number) => {
        const service = reference.createService({ now: clock });
        if (service instanceof Promise) throw new Error("the reference starts at once");
        return (call: object) => service.handle(call as ServiceCall) as Answer;
      };
      return { handle: wrap(start, now) };
    },
  };
}
