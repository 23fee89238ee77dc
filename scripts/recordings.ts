/** Records a run of every vector against every service of the bank, and judges the recordings, whole and spoilt. */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import picomatch from "picomatch";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { loadBank } from "../conformance/mutants/load-bank.ts";
import { performAll } from "../conformance/mutants/pool.ts";
import { endWith } from "./end-with.ts";
import type { RecordedService, RecordingJob } from "./recordings/job.ts";
import { summaryOfRecordings } from "./recordings/summary.ts";

const LIMIT_MS = 300_000;

const options = new Command("recordings")
  .description("Judges recorded traffic of the bank; 0 where nothing is found in that of a legal service.")
  .option("--only <glob...>", "only services whose id matches", [])
  .option("--every <n>", "only every nth of them", Number, 1)
  .option("--jobs <n>", "processes side by side", Number, availableParallelism())
  .parse()
  .opts<{ readonly only: readonly string[]; readonly every: number; readonly jobs: number }>();

await endWith(main());

async function main(): Promise<number> {
  const bank = loadBank(loadKitData().contract);
  const isChosen = options.only.length === 0 ? () => true : picomatch([...options.only]);
  const all = [
    { id: "reference", legal: true },
    ...bank.legal.map(({ id }) => ({ id, legal: true })),
    ...bank.broken.map(({ id }) => ({ id, legal: false })),
  ];
  const jobs = all.filter(({ id }) => isChosen(id)).filter((_, index) => index % options.every === 0);
  const services: RecordedService[] = [];
  await performAll<RecordingJob, RecordedService>({
    program: fileURLToPath(new URL("recordings/worker.ts", import.meta.url)),
    jobs,
    workers: options.jobs,
    timeLimitMs: LIMIT_MS,
    lost: (job) => ({ ...job, failed: false, found: {}, fault: "no answer" }),
    onOutcome: (service) => {
      services.push(service);
      // A whole bank takes long: what is wrong is told at once.
      const rules = Object.values(service.found).flat();
      if (service.legal && rules.length > 0)
        process.stderr.write(`${service.id}: ${[...new Set(rules)].join(" ")}\n`);
    },
  });
  const { text, good } = summaryOfRecordings(services);
  process.stdout.write(`${text}\n`);
  return good ? 0 : 1;
}
