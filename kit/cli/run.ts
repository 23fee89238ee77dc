import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { InProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { readContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../contract/openapi.ts";
import { formatReport } from "../run/console.ts";
import { run } from "../run/run.ts";
import { loadVectors } from "../suite/load.ts";

/**
 * Tests a service module with all vectors, or with those whose IDs match a glob.
 * @returns exit status
 * @throws {DataError} if the data files have faults
 */
export async function runModule([modulePath = "", ...only]: readonly string[]): Promise<number> {
  const startMs = performance.now();
  const contract = readContract(join(DATA_FOLDER, "contract"));
  const vectors = loadVectors(join(DATA_FOLDER, "suites"), contract);
  const module = (await import(pathToFileURL(resolve(modulePath)).href)) as ServiceModule;
  const report = await run(contract, vectors, new InProcessAdapter(module), only);
  process.stdout.write(`${formatReport(contract, report, performance.now() - startMs)}\n`);
  return report.verdict.exitStatus;
}
