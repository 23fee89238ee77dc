/** A process that makes the services of the bank and judges them, one after the other, as the pool asks. */
import { loadKitData } from "../contract/kit-data.ts";
import { applyEdits } from "./apply-edits.ts";
import type { PlacedEdit } from "./entry.ts";
import type { Job, JobOutcome } from "./job.ts";
import { judgeBroken, judgeLegal, judgeWhole } from "./judge-entry.ts";
import { loadBank } from "./load-bank.ts";
import { referenceProgram } from "./reference-program.ts";
import { serviceFromSources } from "./service-from-sources.ts";

const kit = loadKitData();
const bank = loadBank(kit.contract);
const program = referenceProgram();
const entries = new Map([...bank.broken, ...bank.legal].map((entry) => [entry.id, entry]));

const make = (edits: readonly PlacedEdit[]) => serviceFromSources(applyEdits(program, edits));

async function perform(job: Job): Promise<JobOutcome> {
  if (job.kind === "verdict") {
    const { id } = job;
    try {
      const outcome = await judgeWhole(id, await make(entries.get(id)?.edits ?? []), kit);
      return { kind: "verdict", outcome };
    } catch (thrown) {
      return { kind: "verdict", outcome: { id, verdict: lineOf(thrown), failed: [], notTested: [] } };
    }
  }
  if (job.kind === "broken") {
    const entry = bank.broken.find(({ id }) => id === job.id);
    if (entry === undefined) throw new Error(`no entry ${job.id}`);
    try {
      return { kind: "broken", outcome: await judgeBroken(entry, await make(entry.edits), kit) };
    } catch (thrown) {
      return { kind: "broken", outcome: { id: job.id, caughtBy: {}, fault: lineOf(thrown) } };
    }
  }
  try {
    const service = await make(job.entries.flatMap((id) => entries.get(id)?.edits ?? []));
    const untried = bank.legal.flatMap((entry) =>
      job.entries.includes(entry.id) ? (entry.untried ?? []) : [],
    );
    return { kind: "legal", outcome: await judgeLegal(job.id, service, kit, job.extent, untried) };
  } catch (thrown) {
    const outcome = { id: job.id, conforms: false, choices: {}, complaints: [lineOf(thrown)] };
    return { kind: "legal", outcome };
  }
}

function lineOf(thrown: unknown): string {
  return String(thrown instanceof Error ? thrown.message : thrown).replaceAll("\n", " ");
}

process.on("message", async (job: Job) => {
  process.send?.(await perform(job));
});
process.send?.("ready");
