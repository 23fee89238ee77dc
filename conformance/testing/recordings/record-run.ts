import type { Facts } from "../../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../../adapters/in-process.ts";
import { recordingAdapter } from "../../audit/recording-adapter.ts";
import type { KitData } from "../../contract/kit-data.ts";
import type { Recorded } from "../../engine/audit/recorded.ts";
import { run } from "../../engine/run/run.ts";
import type { Vector } from "../../engine/vectors/vector.ts";
import type { GatedReport } from "../../policies/gated-report.ts";

/** What a run of vectors sent to a service, with every restart and the reading of its clock. */
export interface RecordedRun {
  readonly recordings: readonly (readonly Recorded[])[];
  readonly facts: Partial<Facts>;
  readonly report: GatedReport;
}

/** Runs vectors against a service, and records what passes. */
export async function recordRun(
  service: ServiceModule,
  { contract, suites }: KitData,
  vectors: readonly Vector[] = suites.vectors,
): Promise<RecordedRun> {
  let ticks = 0;
  const adapter = recordingAdapter(inProcessAdapter(service, { name: "recorded" }), () => {
    ticks += 1;
    return ticks;
  });
  const report = await run({
    contract,
    suites: { vectors, digest: "" },
    adapter,
    kitVersion: "",
    seed: 1,
    only: [],
    bail: false,
    runs: 0,
    maxWaitMs: 0,
    accepted: new Set(),
    time: { now: () => 0, sleep: async () => {} },
  });
  return { recordings: adapter.recordings, facts: (service.facts ?? {}) as Partial<Facts>, report };
}
