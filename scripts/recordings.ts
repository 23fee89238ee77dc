/** Records a run of every vector against every service of the bank, and judges the recordings, whole and spoilt. */
import { appendFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import picomatch from "picomatch";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { performAll } from "../conformance/mutants/pool.ts";
import { loadMutants } from "../conformance/mutants/suite.ts";
import { endWith } from "./end-with.ts";
import type { RecordedService, RecordingJob } from "./recordings/job.ts";
import { summaryOfRecordings } from "./recordings/summary.ts";
import { loadUnshown } from "./recordings/unshown.ts";

const LIMIT_MS = 300_000;
/** A HAR is read more slowly than lines: each so many services are recorded in one. */
const EACH_HAR = 8;

const options = new Command("recordings")
  .description(
    "Judges recorded traffic of the bank; 0 where nothing is found in that of a legal service, and each broken one is found or has a reason.",
  )
  .option("--only <glob...>", "only services whose id matches", [])
  .option("--every <n>", "only every nth of them", Number, 1)
  .option("--http", "ask them over sockets, in place of calls", false)
  .option("--results <file>", "what came of each service, a line of JSON as it comes")
  .option("--jobs <n>", "processes side by side", Number, availableParallelism())
  .parse()
  .opts<{
    readonly only: readonly string[];
    readonly every: number;
    readonly http: boolean;
    readonly results?: string;
    readonly jobs: number;
  }>();

await endWith(main());

async function main(): Promise<number> {
  const bank = loadMutants("services", loadKitData().contract);
  const isChosen = options.only.length === 0 ? () => true : picomatch([...options.only]);
  const all = [
    { id: "reference", legal: true },
    ...bank.legal.map(({ id }) => ({ id, legal: true })),
    ...bank.broken.map(({ id }) => ({ id, legal: false })),
  ];
  const jobs = all
    .map((one, index): RecordingJob => {
      const form = index % EACH_HAR === 0 ? "har" : "json lines";
      return { ...one, form, overHttp: options.http };
    })
    .filter(({ id }) => isChosen(id))
    .filter((_, index) => index % options.every === 0);
  const { results } = options;
  if (results !== undefined) writeFileSync(results, "");
  const services: RecordedService[] = [];
  await performAll<RecordingJob, RecordedService>({
    program: fileURLToPath(new URL("recordings/worker.ts", import.meta.url)),
    jobs,
    workers: options.jobs,
    timeLimitMs: LIMIT_MS,
    lost: ({ id, legal }) => ({ id, legal, failed: false, found: {}, exchanges: 0, fault: "no answer" }),
    onOutcome: (service) => {
      services.push(service);
      if (results !== undefined) appendFileSync(results, `${JSON.stringify(service)}\n`);
      // A whole bank takes long: what is wrong is told at once.
      const rules = Object.values(service.found).flat();
      if (service.legal && rules.length > 0)
        process.stderr.write(`${service.id}: ${[...new Set(rules)].join(" ")}\n`);
    },
  });
  const { text, good } = summaryOfRecordings(services, loadUnshown(), new Set(all.map(({ id }) => id)));
  process.stdout.write(`${text}\n`);
  return good ? 0 : 1;
}
