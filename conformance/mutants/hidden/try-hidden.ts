import { join } from "node:path";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import type { KitData } from "../../contract/kit-data.ts";
import { SEARCHES } from "../../contract/searches.ts";
import type { Contract } from "../../engine/contract.ts";
import { run } from "../../engine/run/run.ts";
import { stretchOf } from "../../engine/run/shard.ts";
import { faultyService } from "./faulty-service.ts";
import type { HiddenFault } from "./hidden-fault.ts";
import { hunt, replay } from "./hunt.ts";

/** What the kit makes of a service whose fault no vector is meant to come upon. */
export interface HiddenTrial {
  readonly name: string;
  /** Vectors that fail, of all that the kit has: none is what is wanted. */
  readonly caughtBy: readonly string[];
  /** Where the search comes upon the fault, if it does. */
  readonly found?: Found;
}

export interface Found {
  readonly property: string;
  /** The property's case, from 1, that shows the fault. */
  readonly atCase: number;
  /** Time of the processor that the search took, in s, the making of the vector included. */
  readonly seconds: number;
  /** Steps of the shortest vector that was made of it. */
  readonly steps: number;
  /** Whether that vector, saved and read back, fails again for the same rule. */
  readonly failsAgain: boolean;
  /** Whether the reference passes it. */
  readonly referencePasses: boolean;
}

/** How a hidden fault is searched for. */
export interface HiddenSearch {
  readonly seed: number;
  /** Random cases of each property. */
  readonly runs: number;
  /** Where vectors are saved that show a fault. */
  readonly folder: string;
  /** The good service that faults are hidden in. */
  readonly reference: ServiceModule;
}

/** Gives a hidden service all vectors, and then all properties until one finds its fault. */
export async function tryHidden(
  wrong: HiddenFault,
  { contract, suites }: KitData,
  search: HiddenSearch,
): Promise<HiddenTrial> {
  const service = () => faultyService(search.reference, wrong);
  const report = await run({
    contract,
    suites,
    adapter: inProcessAdapter(service(), { name: "hidden" }),
    kitVersion: "",
    seed: search.seed,
    only: [],
    bail: false,
    runs: 0,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
  });
  const caughtBy = report.results.filter(({ outcome }) => outcome !== "passed").map(({ id }) => id);
  const found = await find(contract, service, search);
  return { name: wrong.name, caughtBy, ...(found === undefined ? {} : { found }) };
}

async function find(
  contract: Contract,
  service: () => ServiceModule,
  { seed, runs, folder, reference }: HiddenSearch,
): Promise<Found | undefined> {
  const hunted = service();
  const before = process.cpuUsage();
  for (const property of SEARCHES.properties) {
    const cases = stretchOf(Math.ceil(runs * (property.perRun ?? 1)), { index: 1, of: 1 });
    const { failure, vector, tried = 0 } = await hunt(contract, hunted, property, seed, cases);
    if (failure === undefined || vector === undefined) continue;
    const { user, system } = process.cpuUsage(before);
    const file = join(folder, `${process.pid}.yaml`);
    const again = await replay(contract, vector, file, service());
    const good = await replay(contract, vector, file, reference);
    return {
      property: property.name,
      atCase: tried,
      seconds: (user + system) / 1e6,
      steps: again.steps,
      failsAgain: again.result.failures[0]?.rule === failure.rule,
      referencePasses: good.result.outcome === "passed",
    };
  }
  return undefined;
}
