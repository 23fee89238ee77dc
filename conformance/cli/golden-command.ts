import { pathToFileURL } from "node:url";
import type { Adapter } from "../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { readGolden } from "../golden/read-golden.ts";
import { PATHS } from "../paths.ts";
import { checkByReplay, checkFiles } from "./golden-check.ts";
import type { GoldenEdge } from "./golden-edge.ts";
import { writeFixtures } from "./golden-write.ts";
import { ADAPTER_OPTIONS, type AdapterOptions, selectAdapter } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./write-file.ts";

export interface GoldenCommandOptions extends AdapterOptions {
  /** Folder of the fixtures; the kit's own where the bundled reference answers. */
  readonly directory?: string;
  /** Compare instead of writing. */
  readonly check: boolean;
  /** File into which the fixtures of the folder are written as HAR 1.2. */
  readonly har?: string;
  /** List every answer that differs as it may. */
  readonly verbose: boolean;
}

/**
 * `golden`: writes the fixtures of an implementation, says what drifted (`--check`), or exports them (`--har`).
 * @returns 0; 1 where something drifted or an answer broke the contract; 4 where not everything could be replayed
 */
export async function goldenCommand(options: GoldenCommandOptions, edge: GoldenEdge): Promise<number> {
  const { check, directory, har, verbose } = options;
  const own = ADAPTER_OPTIONS.every((name) => options[name] === undefined);
  if (har !== undefined && (check || !own))
    throw new UsageError("--har exports a folder of fixtures; it goes with no --check and no implementation");
  if (verbose && !(check && !own)) throw new UsageError("--verbose goes with --check and an implementation");
  const folder = directory ?? (own || check ? PATHS.golden : undefined);
  if (folder === undefined)
    throw new UsageError("name the folder into which the fixtures of this implementation go");
  if (har !== undefined) return exportHar(folder, har, edge);
  if (own) {
    const from = { adapter: await ownAdapter(), deterministic: true };
    return check ? checkFiles(folder, from, edge) : writeFixtures(folder, from, edge);
  }
  const { adapter } = await selectAdapter(options, () => undefined);
  if (check) return checkByReplay(folder, adapter, verbose, edge);
  return writeFixtures(folder, { adapter, deterministic: false }, edge);
}

/** The bundled reference, with bearers and ids that are the same in every run. */
async function ownAdapter(): Promise<Adapter> {
  const reference: ServiceModule = await import(pathToFileURL(PATHS.goldenReference).href);
  return inProcessAdapter(reference, { name: "launch-draft-reference" });
}

async function exportHar(folder: string, file: string, { output }: GoldenEdge): Promise<number> {
  const { harText } = await import("../golden/har.ts");
  const golden = readGolden(folder);
  try {
    writeWhole(file, harText(golden));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new UsageError(`--har ${file}: cannot be written (${why})`);
  }
  output.out(`${golden.fixtures.length} fixtures written to ${displayPath(file)}\n`);
  return 0;
}
