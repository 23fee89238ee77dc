/** Configuration files: how they are found and read, and the options of a run that a target states. */
import { existsSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import { importFile, loadErrorLine } from "../adapters/load-module.ts";
import type { Config, TargetConfig } from "../api/judge-options.ts";
import { DataError } from "../engine/data/data-error.ts";
import { schemaFault } from "../engine/data/schema.ts";
import { displayPath, readYaml } from "../engine/data/yaml-source.ts";
import { PATHS } from "../paths.ts";
import { plainLine } from "../plain-text.ts";
import { readGiven } from "./option-values.ts";
import { entriesWith, keyOf, WAYS } from "./options.ts";
import type { RunCommandOptions } from "./run-command.ts";

/** Names of the file that is looked for, the first that is there. */
export const CONFIG_FILES = ["ts", "mts", "js", "mjs", "json"].map((end) => `launch-draft.config.${end}`);

/** A configuration that was read. */
export interface ReadConfig extends Config {
  /** Path of its file. */
  readonly file: string;
}

/** A place in a configuration, and what is wrong there. */
type Complain = (path: readonly string[], message: string) => DataError;

/** The options that a target may have, each by its name there. */
const OF_TARGETS = entriesWith("target").map(([name, entry]) => ({
  name,
  entry,
  called: entry.inFiles ?? name,
}));

/** The configuration file of a folder; undefined where it has none. @throws {DataError} where it has several */
export function findConfig(folder: string): string | undefined {
  const [found, other] = CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (found !== undefined && other !== undefined)
    throw new DataError(displayPath(found), `${displayPath(other)} also exists; keep only one`);
  return found;
}

/**
 * Reads a configuration file: JSON, or a module of JavaScript or TypeScript that exports it by default.
 * @throws {DataError} one line: the file, the place in it, what is wrong and the nearest name
 */
export async function readConfig(file: string): Promise<ReadConfig> {
  const { value, complain } = extname(file) === ".json" ? fromJson(file) : await fromModule(file);
  const fault = schemaFault(value, PATHS.configSchema);
  const config = value as Config;
  if (fault !== undefined) {
    const path = fault.path.map(String);
    const [, name = "", option = ""] = path;
    const { targets = {} } = Object(value) as Partial<Config>;
    const message = optionFault(targets[name] ?? {}, option) ?? fault.message;
    throw complain(path, plainLine(message, 300));
  }
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
  for (const option of Object.keys(target)) {
    const message = optionFault(target, option);
    if (message !== undefined) throw complain(["targets", name, option], message);
  }
}

/** What is wrong about the value of an option; undefined where nothing is, and where there is no such option. */
function optionFault(target: object, option: string): string | undefined {
  const { entry } = OF_TARGETS.find(({ called }) => called === option) ?? {};
  const value = (target as Readonly<Record<string, unknown>>)[option];
  if (value === undefined || entry === undefined) return undefined;
  try {
    readGiven(entry.kind, value, option);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Options of a run as a target of a configuration file states them: what it leaves out is left out. */
export type StatedOptions = Partial<RunCommandOptions>;

/**
 * The options of a target, its paths counted from the working directory in place of the file's folder.
 * @param file the path of the configuration file
 * @param cwd the working directory
 */
export function statedOptions(target: TargetConfig, file: string, cwd: string): StatedOptions {
  const folder = relative(cwd, dirname(file));
  const move = (path: string) => (folder === "" || isAbsolute(path) ? path : join(folder, path));
  const stated = OF_TARGETS.flatMap(({ name, entry: { kind }, called }) => {
    const given = (Object(target) as Readonly<Record<string, unknown>>)[called];
    if (given === undefined) return [];
    const value = readGiven(kind, given, called);
    return [[keyOf(name), kind.moved?.(value, move) ?? value]];
  });
  return {
    ...Object.fromEntries(stated),
    ...(target.command === undefined || folder === "" ? {} : { commandFolder: folder }),
    ...(target.runs === undefined ? {} : { runsGiven: true }),
  };
}
