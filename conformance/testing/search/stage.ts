import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { SEARCHES } from "../../contract/searches.ts";
import type { Stage } from "../../engine/contract.ts";
import { plainStage } from "../../engine/run/set-stage.ts";
import { Grounds } from "../../engine/search/grounds.ts";
import { faultyService } from "../../mutants/hidden/faulty-service.ts";
import type { HiddenFault } from "../../mutants/hidden/hidden-fault.ts";
import { contract } from "../contract-data.ts";
import { reference } from "../reference.ts";

/** A stage on which tests run properties. */
export function stageOf(seed: number): Stage {
  return plainStage(contract, seed);
}

/** What properties need to be run over a module: the reference unless told. */
export async function propertyOptions(seed: number, runs: number, serviceModule: ServiceModule = reference) {
  const connect = () => inProcessAdapter(serviceModule, { name: "tried" }).connect();
  const connection = await connect();
  const { info } = connection;
  const grounds = new Grounds(info, connect);
  const { properties } = SEARCHES;
  return { properties, grounds, connect, connection, info, stage: stageOf(seed), runs };
}

/** The reference with a hidden fault; each call gives one that remembers nothing yet. */
export function withFault(fault: HiddenFault): ServiceModule {
  return faultyService(reference, fault);
}
