import { join } from "node:path";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import type { KitData } from "../../contract/kit-data.ts";
import { SEARCHES } from "../../contract/searches.ts";
import type { Contract } from "../../engine/contract.ts";
import { run } from "../../engine/run/run.ts";
import { stretchOf } from "../../engine/run/shard.ts";
import { plainStage } from "../../engine/run/stage.ts";
import { casesOf } from "../../engine/search/cases.ts";
import { DEFAULT_SEED } from "../../engine/search/default-runs.ts";
import { faultyService } from "./faulty-service.ts";
import type { HiddenFault } from "./hidden-fault.ts";
import { hunt, replay } from "./hunt.ts";

/** What the kit makes of a service whose fault no vector is meant to come upon. */
export interface HiddenTrial {
  readonly name: string;
  /** Seed of the search. */
  readonly seed: number;
  /** Vectors that fail, of all that the kit has: none is what is wanted. Absent where they were not played. */
  readonly caughtBy?: readonly string[];
  /** Where the search comes upon the fault, if it does. */
  readonly found?: Found;
}

export interface Found {
  readonly property: string;
  /** The property's case, from 1, that shows the fault; the sequence, where every one was tried. */
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
  readonly seeds: readonly number[];
  /** Random cases of each property. */
  readonly runs: number;
  /** Length of the sequences of which every one is tried. */
  readonly depth: number;
  /** Where vectors are saved that show a fault. */
  readonly folder: string;
  /** The good service that faults are hidden in. */
  readonly reference: ServiceModule;
  /** Whether all vectors are played, too: they take longer than the searches. */
  readonly vectors: boolean;
}

/** Gives a hidden service with each seed all searches of a run until one finds its fault, and before them all vectors. */
export async function tryHidden(
  wrong: HiddenFault,
  kit: KitData,
  search: HiddenSearch,
): Promise<readonly HiddenTrial[]> {
  const service = () => faultyService(search.reference, wrong);
  const played = search.vectors ? { caughtBy: await failingVectors(service(), kit) } : {};
  const trials: HiddenTrial[] = [];
  for (const seed of search.seeds) {
    const found = await find(kit.contract, service, seed, search);
    trials.push({ name: wrong.name, seed, ...played, ...(found === undefined ? {} : { found }) });
  }
  return trials;
}

async function failingVectors(
  service: ServiceModule,
  { contract, suites }: KitData,
): Promise<readonly string[]> {
  const { results } = await run({
    contract,
    suites,
    adapter: inProcessAdapter(service, { name: "hidden" }),
    kitVersion: "",
    seed: DEFAULT_SEED,
    only: [],
    bail: false,
    runs: 0,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
  });
  return results.filter(({ outcome }) => outcome === "failed" || outcome === "error").map(({ id }) => id);
}

/** What a search showed: a failure and its vector, and where it came. */
interface Shown {
  readonly property: string;
  readonly atCase: number;
  readonly rule: string;
  readonly vector: string;
}

async function find(
  contract: Contract,
  service: () => ServiceModule,
  seed: number,
  search: HiddenSearch,
): Promise<Found | undefined> {
  const before = process.cpuUsage();
  const shown =
    (await findAtRandom(contract, service(), seed, search)) ??
    (await findAmongAll(contract, service(), seed, search));
  if (shown === undefined) return undefined;
  const { user, system } = process.cpuUsage(before);
  const { rule, vector, ...where } = shown;
  const file = join(search.folder, `${process.pid}.yaml`);
  const again = await replay(contract, vector, file, service());
  const good = await replay(contract, vector, file, search.reference);
  return {
    ...where,
    seconds: (user + system) / 1e6,
    steps: again.steps,
    failsAgain: again.result.failures[0]?.rule === rule,
    referencePasses: good.result.outcome === "passed",
  };
}

async function findAtRandom(
  contract: Contract,
  service: ServiceModule,
  seed: number,
  { runs }: HiddenSearch,
): Promise<Shown | undefined> {
  for (const property of SEARCHES.properties) {
    const cases = stretchOf(casesOf(property, runs), { index: 1, of: 1 });
    const { failure, vector, tried = 0 } = await hunt(contract, service, property, seed, cases);
    if (failure !== undefined && vector !== undefined)
      return { property: property.name, atCase: tried, rule: failure.rule, vector };
  }
  return undefined;
}

async function findAmongAll(
  contract: Contract,
  service: ServiceModule,
  seed: number,
  { depth }: HiddenSearch,
): Promise<Shown | undefined> {
  const adapter = inProcessAdapter(service, { name: "hunted" });
  const { exhaustive } = SEARCHES;
  const connection = await adapter.connect();
  const { info } = connection;
  const stage = plainStage(contract, seed);
  const { result, sequences } = await exhaustive.search({
    connection,
    info,
    stage,
    depth,
  });
  const [failure] = result.failures;
  if (failure === undefined || result.vector === undefined) return undefined;
  return { property: exhaustive.name, atCase: sequences, rule: failure.rule, vector: result.vector };
}
