import type { Adapter } from "../../adapters/adapter.ts";
import type { ResponseSchemas } from "../../contract/judge/response-schemas.ts";
import type { RealTime } from "../play/clock.ts";
import type { Result } from "../play/result.ts";
import type { Contract } from "../rule-book.ts";
import type { SearchProgress } from "../search/exhaustive.ts";
import type { Suites } from "../vectors/load.ts";
import { attributeFailures } from "./attribute-failures.ts";
import { choose } from "./choose.ts";
import { BAILED, drive } from "./drive.ts";
import { checkIdentity, keepOneToReport } from "./identity-check.ts";
import { plan } from "./plan.ts";
import { type Gates, makeReport, type Report, type ShardFacts } from "./report.ts";
import { setStage } from "./set-stage.ts";
import { isOfShard } from "./shard.ts";

export interface RunOptions {
  readonly contract: Contract;
  readonly schemas: ResponseSchemas;
  readonly suites: Suites;
  readonly adapter: Adapter;
  readonly kitVersion: string;
  readonly seed: number;
  readonly only: readonly string[];
  readonly bail: boolean;
  /** Random cases that each property tries; 0 leaves the properties out. */
  readonly runs: number;
  /** Length of the sequences that the exhaustive search tries; no search where it is absent. */
  readonly exhaustive?: number;
  readonly onSearch?: (progress: SearchProgress) => void;
  readonly maxWaitMs: number;
  /** Rules of which the user accepts that they were not tried. */
  readonly accepted: ReadonlySet<string>;
  /** Which part of the run to do, where several share it. */
  readonly shard?: Omit<ShardFacts, "expected">;
  /** Which vector is next, where threads share them as they come: see `DriveOptions`. */
  readonly nextPlace?: () => number;
  /** What the implementation is held to besides the contract. */
  readonly gates?: Gates;
  readonly time: RealTime;
  readonly stopped?: () => string | undefined;
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

/**
 * The program: plan, drive, judge, report.
 * @throws {DataError} where a pattern of `only` selects nothing
 * @throws {AdapterFault} where the implementation cannot be reached at all
 */
export async function run(options: RunOptions): Promise<Report> {
  const { contract, suites, adapter, seed, time, runs, shard } = options;
  const startedAt = time.now();
  // Loaded only where they run: generators and the model take as long to load as the vectors.
  const properties = runs === 0 ? undefined : await import("../search/run-properties.ts");
  const propertyIds = properties?.PROPERTY_IDS ?? [];
  const chosen = choose(suites.vectors, propertyIds, options.only);
  const selection = {
    only: options.only,
    chosen: chosen.vectors.length + chosen.properties.size,
    of: suites.vectors.length + propertyIds.length,
  };
  const searches = options.exhaustive === undefined ? 0 : 1;
  const expected = chosen.vectors.length + chosen.properties.size + searches;
  const mine = <Item>(items: readonly Item[]) =>
    shard === undefined ? items : items.filter((_, place) => isOfShard(place, shard));
  const total = mine(chosen.vectors).length + chosen.properties.size;
  let done = 0;
  const onResult = (result: Result) => options.onResult?.(result, ++done, total);
  const first = await adapter.connect();
  try {
    const { info } = first;
    const stage = await setStage(first, options, time);
    const notTheService = await checkIdentity(first);
    const planned = keepOneToReport(plan(chosen.vectors, info, options.maxWaitMs), notTheService);
    const stopped = options.stopped ?? (() => undefined);
    const known = new Set(options.gates?.baseline?.baseline.known.map(({ id }) => id));
    const bail = ({ id, outcome }: Result) => options.bail && outcome === "failed" && !known.has(id);
    const { clock, restart } = info.capabilities;
    const { nextPlace, ...rest } = options;
    const asTheyCome = nextPlace !== undefined && clock === "virtual" && restart;
    const vectors = await drive(asTheyCome ? planned : mine(planned), {
      ...rest,
      ...(asTheyCome ? { nextPlace } : {}),
      first,
      stage,
      bail,
      stopped,
      onResult,
    });
    const bailed = vectors.some(bail);
    const leftOut = () =>
      notTheService === undefined ? (bailed ? BAILED.reason : stopped()) : `not tried: ${notTheService}`;
    const searched = await properties?.runProperties({
      connect: () => adapter.connect(),
      info,
      stage,
      runs,
      ...(shard === undefined ? {} : { shard }),
      chosen: (id) => chosen.properties.has(id),
      stopped: leftOut,
      onResult,
    });
    const searchedAt = time.now();
    const search =
      options.exhaustive === undefined
        ? undefined
        : await (await import("../search/exhaustive.ts")).exhaustive({
            connect: () => adapter.connect(),
            info,
            stage,
            depth: options.exhaustive,
            ...(shard === undefined ? {} : { shard }),
            stopped: leftOut,
            ...(options.onSearch === undefined ? {} : { onProgress: options.onSearch }),
          });
    const results = [...vectors, ...(searched ?? []), ...(search === undefined ? [] : [search.result])];
    return makeReport(contract, shard === undefined ? attributeFailures(results) : results, {
      kitVersion: options.kitVersion,
      info,
      adapter: adapter.transport,
      seed,
      runs,
      durationMs: Math.round(time.now() - startedAt),
      digest: suites.digest,
      accepted: options.accepted,
      ...(options.only.length === 0 ? {} : { selection }),
      ...(shard === undefined ? {} : { shard: { ...shard, expected } }),
      ...(options.gates === undefined ? {} : { gates: options.gates }),
      ...(search === undefined || options.exhaustive === undefined
        ? {}
        : {
            search: {
              depth: options.exhaustive,
              sequences: search.sequences,
              steps: search.steps,
              durationMs: Math.round(time.now() - searchedAt),
            },
          }),
    });
  } finally {
    await first.close();
  }
}
