/**
 * Tests an implementation with all vectors, or with those whose IDs match:
 * `main.ts (MODULE | --module FILE | --command CMD | --url URL [--control-url URL] [--metadata-hosts A,B]) [GLOB …]`.
 * A module without an option runs in this process.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Adapter, ImplementationError } from "./adapters/adapter.ts";
import { HttpAdapter } from "./adapters/http.ts";
import { InProcessAdapter, type ServiceModule } from "./adapters/in-process.ts";
import { ProgramAdapter } from "./adapters/stdio.ts";
import { escapeLine } from "./adapters/text.ts";
import { SERVED_CONTRACT } from "./contract/constants.ts";
import { readContract } from "./contract/contract.ts";
import { DataError } from "./contract/yaml.ts";
import { formatReport } from "./run/console.ts";
import { run } from "./run/run.ts";
import { loadVectors } from "./suite/load.ts";

const dataFolder = join(import.meta.dirname, "..", "vectors");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    module: { type: "string" },
    command: { type: "string" },
    url: { type: "string" },
    "control-url": { type: "string" },
    "metadata-hosts": { type: "string" },
  },
});

async function openAdapter(): Promise<Adapter> {
  const { module, command, url, "control-url": controlUrl, "metadata-hosts": hosts } = values;
  const contract = SERVED_CONTRACT;
  if (module !== undefined) return ProgramAdapter.open({ contract, module });
  if (command !== undefined) return ProgramAdapter.open({ contract, command });
  if (url !== undefined) {
    const control = controlUrl === undefined ? {} : { controlUrl };
    const facts = hosts === undefined ? {} : { facts: { metadataHosts: hosts.split(",") } };
    return HttpAdapter.open({ contract, url, ...control, ...facts });
  }
  const exports: ServiceModule = await import(pathToFileURL(resolve(positionals.shift() ?? "")).href);
  return new InProcessAdapter(exports);
}

let adapter: Adapter | undefined;
try {
  const startMs = performance.now();
  const contract = readContract(join(dataFolder, "contract"));
  const vectors = loadVectors(join(dataFolder, "suites"), contract);
  adapter = await openAdapter();
  const report = await run(contract, vectors, adapter, positionals);
  const lines = formatReport(contract, report, performance.now() - startMs).split("\n");
  process.stdout.write(`${lines.map(escapeLine).join("\n")}\n`);
  process.exitCode = report.verdict.exitStatus;
} catch (error) {
  const isExpected = error instanceof DataError || error instanceof ImplementationError;
  if (!isExpected) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof DataError ? 2 : 3;
} finally {
  await adapter?.close();
}
