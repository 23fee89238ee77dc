/** A process that makes services of the bank, records a run against each, and judges the recording. */
import type { Adapter } from "../../conformance/adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../../conformance/adapters/in-process.ts";
import { loadKitData } from "../../conformance/contract/kit-data.ts";
import type { Vector } from "../../conformance/engine/vectors/vector.ts";
import { applyEdits } from "../../conformance/mutants/edits.ts";
import { serviceFromSources } from "../../conformance/mutants/module-from-sources.ts";
import { referenceProgram } from "../../conformance/mutants/program.ts";
import { loadMutants } from "../../conformance/mutants/suite.ts";
import { auditRun } from "../../conformance/testing/recordings/audit-run.ts";
import { CUTS } from "../../conformance/testing/recordings/cuts.ts";
import { overHttp } from "../../conformance/testing/recordings/over-http.ts";
import { type RecordedRun, recordRun } from "../../conformance/testing/recordings/record-run.ts";
import type { RecordedService, RecordingJob } from "./job.ts";

const kit = loadKitData();
const bank = loadMutants("services", kit.contract);
const program = referenceProgram();
const legalEntries = new Map(bank.legal.map((entry) => [entry.id, entry]));
const brokenEntries = new Map(bank.broken.map((entry) => [entry.id, entry]));

/** A broken service is to be found in what is whole, and mostly in what is not. */
const BROKEN_CUTS = ["whole", "5 % lost", "three files, 100 ms apart"];

async function perform(job: RecordingJob): Promise<RecordedService> {
  const { id, legal } = job;
  try {
    return { id, legal, ...(await (legal ? judgedLegal(job) : judgedBroken(job))) };
  } catch (thrown) {
    const fault = String(thrown instanceof Error ? thrown.message : thrown).replaceAll("\n", " ");
    return { id, legal, failed: false, found: {}, exchanges: 0, fault };
  }
}

async function judgedLegal(job: RecordingJob) {
  return judged(await recorded(job, legalEntries.get(job.id)?.edits, kit.suites.vectors), Object.keys(CUTS));
}

/** What shows in the traffic of the vectors that are about its rules is not looked for in that of all others. */
async function judgedBroken(job: RecordingJob) {
  const entry = brokenEntries.get(job.id);
  const own = new Set(entry?.breaks);
  const about = kit.suites.vectors.filter(({ rules }) => rules.some((rule) => own.has(rule)));
  const first = judged(await recorded(job, entry?.edits, about), BROKEN_CUTS);
  if ((first.found["whole"]?.length ?? 0) > 0) return first;
  return judged(await recorded(job, entry?.edits, kit.suites.vectors), BROKEN_CUTS);
}

async function recorded(
  { id, form, overHttp: isOverHttp }: RecordingJob,
  edits: Parameters<typeof applyEdits>[1] = [],
  vectors: readonly Vector[],
): Promise<RecordedRun> {
  const service = await serviceFromSources(applyEdits(program, edits));
  return recordRun(await reached(service, id, isOverHttp), kit, vectors, form);
}

async function reached(service: ServiceModule, name: string, isOverHttp: boolean): Promise<Adapter> {
  return isOverHttp ? overHttp(service) : inProcessAdapter(service, { name });
}

function judged(run: RecordedRun, cuts: readonly string[]) {
  const found = Object.fromEntries(cuts.map((cut) => [cut, rulesIn(auditRun(run, cut))]));
  const exchanges = run.items.filter(({ kind }) => kind === "exchange").length;
  return { failed: run.report.verdict === "does-not-conform" || hasFailed(run), found, exchanges };
}

/** Part of the vectors gives no verdict. */
function hasFailed({ report }: RecordedRun): boolean {
  return report.results.some(({ outcome }) => outcome === "failed");
}

function rulesIn(findings: readonly { readonly rules: readonly string[] }[]): readonly string[] {
  return [...new Set(findings.map(({ rules }) => rules[0] ?? ""))];
}

process.on("message", async (job: RecordingJob) => {
  process.send?.(await perform(job));
});
process.send?.("ready");
