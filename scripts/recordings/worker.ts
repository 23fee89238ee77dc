/** A process that makes services of the bank, records a run against each, and judges the recording. */
import { inProcessAdapter } from "../../conformance/adapters/in-process.ts";
import { loadKitData } from "../../conformance/contract/kit-data.ts";
import { applyEdits } from "../../conformance/mutants/apply-edits.ts";
import { loadBank } from "../../conformance/mutants/load-bank.ts";
import { referenceProgram } from "../../conformance/mutants/reference-program.ts";
import { serviceFromSources } from "../../conformance/mutants/service-from-sources.ts";
import { auditRun } from "../../conformance/testing/recordings/audit-run.ts";
import { CUTS } from "../../conformance/testing/recordings/cuts.ts";
import { recordRun } from "../../conformance/testing/recordings/record-run.ts";
import type { RecordedService, RecordingJob } from "./job.ts";

const kit = loadKitData();
const bank = loadBank(kit.contract);
const program = referenceProgram();
const entries = new Map([...bank.broken, ...bank.legal].map((entry) => [entry.id, entry]));

async function perform({ id, legal }: RecordingJob): Promise<RecordedService> {
  try {
    const service = await serviceFromSources(applyEdits(program, entries.get(id)?.edits ?? []));
    const run = await recordRun(inProcessAdapter(service, { name: id }), kit);
    const found: Record<string, readonly string[]> = {};
    for (const cut of legal ? Object.keys(CUTS) : BROKEN_CUTS) found[cut] = rulesIn(auditRun(run, cut));
    return { id, legal, failed: run.report.verdict === "does-not-conform", found };
  } catch (thrown) {
    const fault = String(thrown instanceof Error ? thrown.message : thrown).replaceAll("\n", " ");
    return { id, legal, failed: false, found: {}, fault };
  }
}

/** A broken service is to be found in what is whole, and mostly in what is not. */
const BROKEN_CUTS = ["whole", "5 % lost", "three files, 100 ms apart"];

function rulesIn(findings: readonly { readonly rules: readonly string[] }[]): readonly string[] {
  return [...new Set(findings.map(({ rules }) => rules[0] ?? ""))];
}

process.on("message", async (job: RecordingJob) => {
  process.send?.(await perform(job));
});
process.send?.("ready");
