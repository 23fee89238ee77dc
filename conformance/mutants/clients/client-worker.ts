/** A process that makes the clients of the bank and judges them, one after the other, as the pool asks. */
import { httpSites } from "../../client-doors/http-sites.ts";
import { loadClientData } from "../../contract/client/client-data.ts";
import { MACHINE_TIME } from "../../machine-time.ts";
import { applyEdits } from "../apply-edits.ts";
import type { JobOutcome } from "../job.ts";
import { clientFromSources } from "./client-from-sources.ts";
import type { ClientJob } from "./client-job.ts";
import { exampleProgram } from "./example-program.ts";
import { judgeBrokenClient, judgeLegalClient, judgeWholeClient } from "./judge-client.ts";
import { loadClientBank } from "./load-client-bank.ts";

const LEGAL_RUNS = 20;

const kit = loadClientData();
const bank = loadClientBank(kit.contract);
const program = exampleProgram();

async function perform(job: ClientJob): Promise<JobOutcome> {
  const { id, kind } = job;
  const sites = httpSites();
  const trial = { kit, sites, legalRuns: LEGAL_RUNS, sleep: MACHINE_TIME.sleep };
  try {
    if (job.kind === "broken") {
      const entry = bank.broken.find((one) => one.id === id);
      if (entry === undefined) throw new Error(`no entry ${id}`);
      const client = await clientFromSources(applyEdits(program, entry.edits));
      return { kind: job.kind, outcome: await judgeBrokenClient(entry, client, trial) };
    }
    if (job.kind === "verdict") {
      const entry = [...bank.broken, ...bank.legal].find((one) => one.id === id);
      if (entry === undefined) throw new Error(`no entry ${id}`);
      const client = await clientFromSources(applyEdits(program, entry.edits));
      return { kind: job.kind, outcome: await judgeWholeClient(entry, client, trial) };
    }
    const entry = bank.legal.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`no entry ${id}`);
    const client = await clientFromSources(applyEdits(program, entry.edits));
    return { kind: job.kind, outcome: await judgeLegalClient(entry, client, trial) };
  } catch (thrown) {
    const fault = String(thrown instanceof Error ? thrown.message : thrown).replaceAll("\n", " ");
    if (kind === "verdict") return { kind, outcome: { id, verdict: fault, failed: [], notTested: [] } };
    return kind === "broken"
      ? { kind, outcome: { id, caughtBy: {}, fault } }
      : { kind, outcome: { id, conforms: false, choices: {}, complaints: [fault] } };
  } finally {
    await sites.close();
  }
}

process.on("message", async (job: ClientJob) => {
  process.send?.(await perform(job));
});
// What a client leaves behind that nobody awaits is no end of the others.
process.on("unhandledRejection", () => {});
process.send?.("ready");
