import { pathToFileURL } from "node:url";
import type { Adapter } from "../adapters/adapter.ts";
import { inProcessAdapter, type ServiceModule } from "../adapters/in-process.ts";
import { PATHS } from "../paths.ts";
import { checkByReplay, checkFiles } from "./golden-check.ts";
import type { GoldenEdge } from "./golden-write.ts";
import { writeFixtures } from "./golden-write.ts";
import { ADAPTER_OPTIONS, type OptionsOf } from "./options.ts";
import { selectAdapter } from "./select-adapter.ts";
import { UsageError } from "./usage-error.ts";

export interface GoldenCommandOptions extends OptionsOf<"golden"> {
  /** Folder of the fixtures; the kit's own where the bundled reference answers. */
  readonly directory?: string;
  readonly jobs: number;
}

/**
 * `golden`: writes the fixtures of an implementation, or says what drifted (`--check`).
 * @returns 0; 1 where something drifted or an answer broke the contract; 4 where not everything could be replayed
 */
export async function goldenCommand(options: GoldenCommandOptions, edge: GoldenEdge): Promise<number> {
  const { check, directory, verbose } = options;
  const own = ADAPTER_OPTIONS.every((name) => options[name] === undefined);
  if (verbose && !(check && !own)) throw new UsageError("--verbose goes with --check and an implementation");
  const folder = directory ?? (own || check ? PATHS.golden : undefined);
  if (folder === undefined)
    throw new UsageError("name the folder into which the fixtures of this implementation go");
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
