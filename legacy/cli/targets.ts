import { relative, resolve } from "node:path";
import { DataError } from "../engine/data/data-error.ts";
import { suggestion } from "../engine/data/schema.ts";
import { displayPath } from "../engine/data/yaml-source.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import {
  CONFIG_FILES,
  findConfig,
  type ReadConfig,
  readConfig,
  type StatedOptions,
  statedOptions,
} from "./config.ts";
import { UNDECIDED, worstOf } from "./exit-status.ts";
import { ADAPTER_OPTIONS, commandWords, WAYS } from "./options.ts";
import { reportError } from "./report-error.ts";
import { isDocument } from "./reporters.ts";
import { type RunCommandOptions, type RunEdge, runCommand } from "./run-command.ts";
import { UsageError } from "./usage-error.ts";

/** A target as it is to be judged. */
export interface ChosenTarget {
  readonly name: string;
  readonly options: RunCommandOptions;
}

/** The words of a command line that say what `run` judges. */
export interface TargetWords {
  /** Names of targets. */
  readonly names: readonly string[];
  /** The configuration file that is named. */
  readonly config?: string;
  /** The options, with the usual values of those that the command line does not give. */
  readonly options: RunCommandOptions;
  /** Names of the options that the command line gives. */
  readonly stated: ReadonlySet<string>;
  /** The working directory. */
  readonly cwd: string;
}

/**
 * The targets of the configuration file that a run is about, each with the file's options, which those of the command line
 * replace.
 * @returns undefined where no file has a say: there is none, or the command line says itself what is judged
 * @throws {UsageError} for a name that is none, with the nearest
 * @throws {DataError} for a file with a fault
 */
export async function chosenTargets(words: TargetWords): Promise<readonly ChosenTarget[] | undefined> {
  const { names, config: named, stated, cwd } = words;
  const isNamed = names.length > 0 || named !== undefined;
  if (!isNamed && WAYS.some((way) => stated.has(way))) return undefined;
  const file = named ?? findConfig(cwd);
  if (file === undefined) {
    if (!isNamed) return undefined;
    throw new UsageError(
      `${names[0]}: there are no targets: ${cwd} holds none of ${CONFIG_FILES.join(", ")}`,
    );
  }
  const config = await readConfig(file);
  const chosen = chosenNames(config, names).map((name) => chosenTarget(name, config, words));
  if (chosen.length > 1) checkReporters(chosen);
  return chosen;
}

function chosenNames({ targets, file }: ReadConfig, names: readonly string[]): readonly string[] {
  const known = Object.keys(targets);
  for (const name of names) {
    if (!Object.hasOwn(targets, name))
      throw new UsageError(
        `${name}: ${displayPath(file)} has no such target${suggestion(name, known)}; there are ${known.join(", ")}`,
      );
  }
  if (names.length > 0) return [...new Set(names)];
  const [only, other] = known;
  if (only !== undefined && (other === undefined || known.includes("default")))
    return [other === undefined ? only : "default"];
  throw new UsageError(
    `${displayPath(file)} has several targets and none that is named default: run NAME…, of ${known.join(", ")}`,
  );
}

function chosenTarget(name: string, { targets, file }: ReadConfig, words: TargetWords): ChosenTarget {
  const { options, stated, names, cwd } = words;
  const target = targets[name];
  if (target === undefined) throw new Error(`no target ${name}`);
  const ofFile = withoutReplaced(statedOptions(target, file, cwd), stated);
  const given = Object.fromEntries(Object.entries(options).filter(([option]) => stated.has(option)));
  const several = names.length > 1;
  return {
    name,
    options: {
      ...options,
      ...ofFile,
      ...given,
      ...(stated.has("reporter") && several
        ? { reporter: options.reporter.map((value) => underName(value, name)) }
        : {}),
      askedAs: askedAs(name, file, words),
    },
  };
}

/** What the file states, but for what the command line replaces by something else. */
function withoutReplaced(ofFile: StatedOptions, stated: ReadonlySet<string>): StatedOptions {
  const replaced = new Set<string>();
  if (WAYS.some((way) => stated.has(way)))
    for (const option of [...ADAPTER_OPTIONS, "commandFolder"]) replaced.add(option);
  if (stated.has("only") || stated.has("failed")) replaced.add("only");
  const kept = Object.entries(ofFile).filter(([option]) => !replaced.has(option));
  // What a run of a few tests comes to must not take the place of what the whole came to.
  const reporters =
    replaced.has("only") && ofFile.reporter !== undefined
      ? { reporter: ofFile.reporter.filter((value) => !value.includes("=")) }
      : {};
  return { ...Object.fromEntries(kept), ...reporters };
}

/** How the target is asked for again: its name, its file where that is not found by itself, and what replaced its options. */
function askedAs(
  name: string,
  file: string,
  { options, stated, cwd, config }: TargetWords,
): readonly string[] {
  const given = ADAPTER_OPTIONS.filter((option) => stated.has(option));
  const elsewhere = config !== undefined && relative(cwd, resolve(file)) !== findConfigName(cwd);
  return [name, ...(elsewhere ? ["--config", shellQuote(file)] : []), ...commandWords({ ...options }, given)];
}

function findConfigName(cwd: string): string | undefined {
  const found = findConfig(cwd);
  return found === undefined ? undefined : relative(cwd, found);
}

/** A reporter of the command line as one of several targets has it: `json=report.json` is `json=report-NAME.json`. */
function underName(value: string, name: string): string {
  const [reporter, ...rest] = value.split("=");
  const file = rest.join("=");
  if (file === "" || file === "-") return value;
  const [, stem = file, end = ""] = /^(.*[^/])(\.[^./]+)$/.exec(file) ?? [];
  return `${reporter}=${stem}-${name}${end}`;
}

/** Of several targets, each has its own files, and standard output to itself while it is judged. */
function checkReporters(targets: readonly ChosenTarget[]): void {
  const files = new Map<string, string>();
  for (const { name, options } of targets) {
    for (const value of options.reporter) {
      const [reporter = "", ...rest] = value.split("=");
      const file = rest.join("=");
      if (file === "" || file === "-") {
        if (isDocument(reporter))
          throw new UsageError(
            `--reporter ${reporter}: several targets are judged; give it a file (${reporter}=FILE), and each has its own`,
          );
        continue;
      }
      const other = files.get(resolve(file));
      if (other !== undefined && other !== name)
        throw new DataError(name, `the reporter ${value} writes to a file of the target ${other}`);
      files.set(resolve(file), name);
    }
  }
}

/**
 * Judges targets one after the other, each under its name. An error of one does not stop the others; Ctrl-C ends them all.
 * @returns the worst exit status
 */
export async function runTargets(
  targets: readonly ChosenTarget[],
  edge: RunEdge,
  runOne: typeof runCommand = runCommand,
): Promise<number> {
  const [first] = targets;
  if (first !== undefined && targets.length === 1) return runOne(first.options, edge);
  const { output } = edge;
  const ended: (readonly [name: string, status: number])[] = [];
  for (const { name, options } of targets) {
    if (edge.stopped() !== undefined) {
      output.err(`${name}: not judged, interrupted\n`);
      continue;
    }
    output.out(`${ended.length === 0 ? "" : "\n"}== ${name} ==\n`);
    ended.push([name, await statusOf(name, () => runOne(options, edge), edge)]);
  }
  output.out(`\n== ${targets.length} targets ==\n`);
  for (const [name, status] of ended) output.out(`${name}: exit status ${status}\n`);
  const statuses = ended.map(([, status]) => status);
  if (ended.length < targets.length) statuses.push(edge.interrupt?.status() ?? UNDECIDED);
  return worstOf(statuses);
}

async function statusOf(name: string, run: () => Promise<number>, { output }: RunEdge): Promise<number> {
  try {
    return await run();
  } catch (error) {
    return reportError(error, { ...output, err: (text) => output.err(`${name}: ${text}`) });
  }
}
