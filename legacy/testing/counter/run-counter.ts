import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { type RunOptions, runOutcome } from "../../engine/run/run.ts";
import { type GatedReport, gatedReport } from "../../policies/gated-report.ts";
import { COUNTER, COUNTER_SUITES } from "./counter-contract.ts";

/** What most tests do not care about in a run; no clock ticks. */
export function counterOptions(service: ServiceModule, more: Partial<RunOptions> = {}): RunOptions {
  return {
    contract: COUNTER,
    suites: COUNTER_SUITES,
    adapter: inProcessAdapter(service, { name: "counter" }),
    kitVersion: "0.0.0",
    seed: 1,
    only: [],
    bail: false,
    runs: 0,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
    ...more,
  };
}

/** The report of a run of the counter's contract. */
export async function runCounter(
  service: ServiceModule,
  more: Partial<RunOptions> = {},
): Promise<GatedReport> {
  return gatedReport(COUNTER, await runOutcome(counterOptions(service, more)), {});
}
