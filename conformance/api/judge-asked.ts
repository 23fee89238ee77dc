import { fileURLToPath } from "node:url";
import type { ServiceModule } from "../adapters/in-process.ts";
import { oneLine, shown } from "../adapters/one-line.ts";
import type { JudgeRunOptions } from "../cli/judge-run.ts";
import * as texts from "../cli/option-values.ts";
import { UsageError } from "../cli/usage-error.ts";
import { suggestion } from "../engine/data/schema.ts";
import { DEFAULT_RUNS, DEFAULT_SEED } from "../engine/search/default-runs.ts";
import type { JudgeOptions } from "./judge-options.ts";
import type { StatedFacts } from "./target.ts";

/** The options of a call as those of a run. */
export interface JudgeAsked {
  readonly options: JudgeRunOptions;
  /** The service, where it is an object of the calling program. */
  readonly service?: ServiceModule;
  readonly signal?: AbortSignal;
}

/** Reads a value; throws an error that says what is wanted. */
type Read<Value> = (value: unknown) => Value;

const OPTIONS: { readonly [Name in keyof JudgeOptions]-?: Read<unknown> } = {
  target: object,
  only: listOfTexts,
  seed: (value) => (value === "random" ? value : number(texts.seed, value)),
  salt: (value) => texts.salt(text(value)),
  bail: flag,
  runs: (value) => number(texts.wholeNumber, value),
  exhaustive: (value) => number(texts.searchDepth, value),
  jobs: (value) => number(texts.positiveNumber, value),
  timeout: duration,
  maxWait: duration,
  allowUntried: listOfTexts,
  baseline: text,
  choices: text,
  suite: text,
  shard: (value) => texts.shard(text(value)),
  replay: text,
  signal: (value) => (value instanceof AbortSignal ? value : wanted("an AbortSignal is wanted.")),
};

/** What a target is reached by, each with the options that go with it. */
const WAYS: Readonly<Record<string, Readonly<Record<string, Read<unknown>>>>> = {
  module: { module: path },
  command: { command: text },
  attach: { attach: text },
  url: {
    url: text,
    controlUrl: text,
    facts: (value) => (typeof value === "string" ? text(value) : object(value)),
    metadataHosts: listOfTexts,
    caFile: text,
    allowSelfSigned: flag,
  },
  service: { service },
};

/**
 * Reads what `judge` was given.
 * @param caller what errors begin with
 * @throws {UsageError} one line: what is wrong of which option, and the nearest name for one that is none
 */
export function judgeAsked(given: JudgeOptions, caller = "judge"): JudgeAsked {
  const read = values(given, OPTIONS, caller);
  const target = readTarget(read["target"] as object, caller);
  const { service: own, facts, ...reach } = target;
  if (own !== undefined && read["jobs"] !== undefined)
    throw new UsageError(`${caller}: jobs: a service shares this process; name its file as module for more`);
  const { timeout = 5_000, maxWait = 90_000, target: _, signal, ...rest } = read;
  const options = {
    only: [],
    seed: DEFAULT_SEED,
    bail: false,
    runs: DEFAULT_RUNS,
    allowUntried: [],
    jobs: 1,
    ...rest,
    ...factsOf(facts as string | StatedFacts | undefined),
    ...reach,
    runsGiven: read["runs"] !== undefined,
    timeoutMs: timeout,
    maxWaitMs: maxWait,
  } as JudgeRunOptions;
  return {
    options,
    ...(own === undefined ? {} : { service: own as ServiceModule }),
    ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
  };
}

/** Facts that are stated rather than in a file; the hosts by themselves, since a command line can name them. */
function factsOf(facts: string | StatedFacts | undefined) {
  if (typeof facts !== "object") return facts === undefined ? {} : { facts };
  const { metadataHosts } = facts;
  return { statedFacts: facts, ...(Array.isArray(metadataHosts) ? { metadataHosts } : {}) };
}

function readTarget(target: object, caller: string): Readonly<Record<string, unknown>> {
  const names = Object.keys(WAYS);
  const given = names.filter((way) => (target as Readonly<Record<string, unknown>>)[way] !== undefined);
  const [way] = given;
  if (given.length > 1)
    throw new UsageError(`${caller}: target: give one of ${given.join(", ")}, not several`);
  if (way === undefined) {
    const unknown = Object.keys(target)[0];
    const near = unknown === undefined ? "" : `, not ${oneLine(unknown, 40)}${suggestion(unknown, names)}`;
    throw new UsageError(`${caller}: target: give one of ${names.join(", ")}${near}`);
  }
  return values(target, WAYS[way] ?? {}, `${caller}: target`);
}

/** Reads each member by its name; what is undefined is as if it were not there. */
function values(
  given: unknown,
  known: Readonly<Record<string, Read<unknown>>>,
  where: string,
): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null)
    throw new UsageError(`${where}: an object of options is wanted, not ${shown(given)}`);
  const read: Record<string, unknown> = {};
  if ("target" in known && (given as { target?: unknown }).target === undefined)
    throw new UsageError(`${where}: target is missing: give one of ${Object.keys(WAYS).join(", ")}`);
  for (const [name, value] of Object.entries(given)) {
    const reader = Object.hasOwn(known, name) ? known[name] : undefined;
    if (reader === undefined)
      throw new UsageError(
        `${where}: there is no option ${oneLine(name, 40)}${suggestion(name, Object.keys(known))}; there are ${Object.keys(known).join(", ")}`,
      );
    if (value === undefined) continue;
    try {
      read[name] = reader(value);
    } catch (error) {
      const what = (error as Error).message.replace(/\.$/, "");
      throw new UsageError(`${where}: ${name}: ${what}, not ${shown(value)}`);
    }
  }
  return read;
}

function wanted(what: string): never {
  throw new Error(what);
}

/** A number as the command line has it. */
function number<Value>(read: (text: string) => Value, value: unknown): Value {
  return read(typeof value === "number" ? String(value) : "");
}

function duration(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  return texts.duration(typeof value === "string" ? value : "");
}

function text(value: unknown): string {
  return typeof value === "string" && value.trim() !== "" ? value : wanted("a text is wanted.");
}

function path(value: unknown): string {
  const isUrl = value instanceof URL || (typeof value === "string" && value.startsWith("file:"));
  return isUrl ? fileURLToPath(value) : text(value);
}

function listOfTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(text) : wanted("a list of texts is wanted.");
}

function flag(value: unknown): boolean {
  return typeof value === "boolean" ? value : wanted("true or false is wanted.");
}

function object(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value
    : wanted("an object is wanted.");
}

function service(value: unknown): ServiceModule {
  const { createService } = object(value) as Partial<ServiceModule>;
  return typeof createService === "function"
    ? (value as ServiceModule)
    : wanted("an object with a createService function is wanted.");
}
