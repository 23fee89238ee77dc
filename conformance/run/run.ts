import { type Adapter, AdapterFault } from "../adapters/adapter.ts";
import type { Contract } from "../contract/contract.ts";
import { DataError } from "../data/data-error.ts";
import type { ResponseSchemas } from "../judge/response-schemas.ts";
import type { RealTime } from "../play/clock.ts";
import type { Result } from "../play/result.ts";
import type { Suites } from "../vectors/load.ts";
import { calibrate } from "./calibrate.ts";
import { drive } from "./drive.ts";
import { plan, select } from "./plan.ts";
import { makeReport, type Report } from "./report.ts";
import { settle } from "./settle.ts";

export interface RunOptions {
  readonly contract: Contract;
  readonly schemas: ResponseSchemas;
  readonly suites: Suites;
  readonly adapter: Adapter;
  readonly kitVersion: string;
  readonly seed: number;
  readonly only: readonly string[];
  readonly bail: boolean;
  readonly maxWaitMs: number;
  /** Rules of which the user accepts that they were not tried. */
  readonly accepted: ReadonlySet<string>;
  readonly time: RealTime;
  readonly stopped?: () => string | undefined;
  readonly onResult?: (result: Result, done: number, total: number) => void;
}

/** A real clock on another machine may differ from the kit's by this much before a lifetime is called wrong. */
const REAL_CLOCK_TOLERANCE_MS = 2000;

/**
 * The program: plan, drive, judge, report.
 * @throws {DataError} where a pattern of `only` selects nothing
 * @throws {AdapterFault} where the implementation cannot be reached at all
 */
export async function run(options: RunOptions): Promise<Report> {
  const { contract, schemas, suites, adapter, seed, time } = options;
  const startedAt = time.now();
  const { chosen, unmatched } = select(suites.vectors, options.only);
  if (unmatched.length > 0 || chosen.length === 0) {
    throw new DataError(
      "--only",
      `${unmatched.join(", ") || "the selection"} matches no vector; \`list\` shows their ids`,
    );
  }
  const first = await adapter.connect();
  try {
    const { info } = first;
    const resolutionMs = await calibrateOr(() => calibrate(first, seed, time));
    const real = info.capabilities.clock === "real";
    const stage = {
      contract,
      schemas,
      seed,
      resolutionMs,
      clockToleranceMs: real ? REAL_CLOCK_TOLERANCE_MS : 0,
    };
    let done = 0;
    const results = await drive(plan(chosen, info, options.maxWaitMs), {
      adapter,
      first,
      stage,
      time,
      bail: options.bail,
      stopped: options.stopped ?? (() => undefined),
      onResult: (result) => options.onResult?.(result, ++done, chosen.length),
    });
    return makeReport(contract, settle(results), {
      kitVersion: options.kitVersion,
      info,
      adapter: adapter.transport,
      seed,
      durationMs: Math.round(time.now() - startedAt),
      digest: suites.digest,
      accepted: options.accepted,
    });
  } finally {
    await first.close();
  }
}

/** A service that cannot even be asked for a challenge is judged by its vectors, on a clock of one millisecond. */
async function calibrateOr(read: () => Promise<number>): Promise<number> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AdapterFault) return 1;
    throw error;
  }
}
