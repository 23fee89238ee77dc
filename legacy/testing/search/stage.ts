import type { Adapter, Connection } from "../../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { SEARCHES } from "../../contract/searches.ts";
import type { Stage } from "../../engine/contract.ts";
import type { Result } from "../../engine/play/result.ts";
import { Pool } from "../../engine/run/pool.ts";
import { searchesOf } from "../../engine/run/searching.ts";
import { plainStage } from "../../engine/run/stage.ts";
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
  const adapter: Adapter = inProcessAdapter(serviceModule, { name: "tried" });
  const connection = await adapter.connect(contract);
  return { adapter, connection, info: connection.info, stage: stageOf(seed), runs };
}

/** What the properties of the contract come to on the instances of an adapter. */
export async function runProperties({
  adapter,
  connection,
  stage,
  runs,
  chosen = () => true,
  stopped = () => undefined,
}: {
  readonly adapter: Adapter;
  readonly connection: Connection;
  readonly stage: Stage;
  readonly runs: number;
  readonly chosen?: (id: string) => boolean;
  readonly stopped?: () => string | undefined;
}): Promise<readonly Result[]> {
  const searches = searchesOf({
    searches: SEARCHES,
    amount: { runs },
    chosen,
    info: connection.info,
    stage,
    time: { now: () => 0, sleep: async () => {} },
    instances: adapter.jobs,
    stopped,
    onResult: () => {},
  });
  const pool = new Pool({
    adapter,
    contract,
    first: connection,
    bail: () => false,
    asked: () => undefined,
    isSlow: () => false,
    measure: async () => {},
    prepare: async () => {},
  });
  await pool.run(searches.flatMap(({ items }) => items));
  return searches.flatMap((search) => search.result() ?? []);
}

/** The reference with a hidden fault; each call gives one that remembers nothing yet. */
export function withFault(fault: HiddenFault): ServiceModule {
  return faultyService(reference, fault);
}
