import { existsSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { importFile, loadErrorLine } from "../../adapters/load-module.ts";
import type { Config, TargetConfig } from "../../api/define-config.ts";
import { DataError } from "../../engine/data/data-error.ts";
import { schemaFault } from "../../engine/data/schema.ts";
import { displayPath, readYaml } from "../../engine/data/yaml-source.ts";
import { PATHS } from "../../paths.ts";
import { plainLine } from "../../plain-text.ts";
import { duration } from "../option-values.ts";
import { WAYS } from "../select-adapter.ts";

/** Names of the file that is looked for, the first that is there. */
export const CONFIG_FILES = ["ts", "mts", "js", "mjs", "json"].map((end) => `launch-draft.config.${end}`);

/** A configuration that was read. */
export interface ReadConfig extends Config {
  /** Path of its file. */
  readonly file: string;
}

/** A place in a configuration, and what is wrong there. */
type Complain = (path: readonly string[], message: string) => DataError;

/** The configuration file of a folder; undefined where it has none. @throws {DataError} where it has several */
export function findConfig(folder: string): string | undefined {
  const [found, other] = CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (found !== undefined && other !== undefined)
    throw new DataError(displayPath(found), `${displayPath(other)} is there, too: keep one of them`);
  return found;
}

/**
 * Reads a configuration file: JSON, or a module of JavaScript or TypeScript that exports it by default.
 * @throws {DataError} one line: the file, the place in it, what is wrong and the nearest name
 */
export async function readConfig(file: string): Promise<ReadConfig> {
  const { value, complain } = extname(file) === ".json" ? fromJson(file) : await fromModule(file);
  const fault = schemaFault(value, PATHS.configSchema);
  if (fault !== undefined) throw complain(fault.path.map(String), plainLine(fault.message, 300));
  const config = value as Config;
  for (const [name, target] of Object.entries(config.targets)) checkTarget(name, target, complain);
  return { ...config, file };
}

function fromJson(file: string): { readonly value: unknown; readonly complain: Complain } {
  const source = readYaml(file);
  return { value: source.value, complain: (path, message) => source.error(path, message) };
}

async function fromModule(file: string): Promise<{ readonly value: unknown; readonly complain: Complain }> {
  const shownFile = displayPath(file);
  const exported = await importFile(resolve(file)).catch((thrown: unknown) => {
    throw new DataError(shownFile, plainLine(`cannot be loaded: ${loadErrorLine(thrown)}`, 300));
  });
  // A module that was compiled to CommonJS has its default export below Node's own.
  const value = exported.default?.default ?? exported.default;
  if (value === undefined)
    throw new DataError(shownFile, "exports nothing by default: export default defineConfig({ targets: … })");
  return {
    value,
    complain: (path, message) =>
      new DataError(path.length === 0 ? shownFile : `${shownFile}: ${path.join(".")}`, message),
  };
}

/** What no schema says in words that help. */
function checkTarget(name: string, target: TargetConfig, complain: Complain): void {
  const given = WAYS.filter((way) => target[way] !== undefined);
  if (given.length !== 1) {
    const which = given.length === 0 ? WAYS.join(", ") : `${given.join(", ")}, not several`;
    throw complain(["targets", name], `give one of ${which}`);
  }
  for (const option of ["timeout", "maxWait"] as const) {
    try {
      if (typeof target[option] === "string") duration(target[option]);
    } catch (error) {
      throw complain(["targets", name, option], (error as Error).message.replace(/\.$/, ""));
    }
  }
}
