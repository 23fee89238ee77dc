/** `tsx main.ts MODULE [GLOB …]`: tests a service module with all vectors, or with those whose IDs match. */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InProcessAdapter, type ServiceModule } from "./adapters/in-process.ts";
import { readContract } from "./contract/contract.ts";
import { DataError } from "./contract/yaml.ts";
import { formatReport } from "./run/console.ts";
import { run } from "./run/run.ts";
import { loadVectors } from "./suite/load.ts";

const dataFolder = join(import.meta.dirname, "..", "vectors");
const [modulePath = "", ...only] = process.argv.slice(2);
try {
  const startMs = performance.now();
  const contract = readContract(join(dataFolder, "contract"));
  const vectors = loadVectors(join(dataFolder, "suites"), contract);
  const module = (await import(pathToFileURL(resolve(modulePath)).href)) as ServiceModule;
  const report = await run(contract, vectors, new InProcessAdapter(module), only);
  process.stdout.write(`${formatReport(contract, report, performance.now() - startMs)}\n`);
  process.exitCode = report.verdict.exitStatus;
} catch (error) {
  if (!(error instanceof DataError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
