import type { Adapter } from "../adapters/adapter.ts";
import type { Contract } from "../contract/contract.ts";
import type { ResponseSchemas } from "../judge/response-schemas.ts";
import type { RealTime } from "../play/clock.ts";
import type { Result } from "../play/result.ts";
import type { Suites } from "../vectors/load.ts";
import { choose } from "./choose.ts";
import { drive } from "./drive.ts";
import { firstContact, keepOneForStranger } from "./first-contact.ts";
import { plan } from "./plan.ts";
import { makeReport, type Report } from "./report.ts";
import { setStage } from "./set-stage.ts";
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

/**
 * The program: plan, drive, judge, report.
 * @throws {DataError} where a pattern of `only` selects nothing
 * @throws {AdapterFault} where the implementation cannot be reached at all
 */
export async function run(options: RunOptions): Promise<Report> {
  const { contract, suites, adapter, seed, time } = options;
  const startedAt = time.now();
  const chosen = choose(suites.vectors, options.only);
  const first = await adapter.connect();
  try {
    const { info } = first;
    const stage = await setStage(first, options, time);
    const planned = keepOneForStranger(plan(chosen, info, options.maxWaitMs), await firstContact(first));
    let done = 0;
    const results = await drive(planned, {
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
