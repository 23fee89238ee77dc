/** What `judge`, a configuration file and `conformanceTests` are given: the types, and how values are read. */
import type { ServiceModule } from "../adapters/in-process.ts";
import { oneLine, shown } from "../adapters/one-line.ts";
import type { JudgeRunOptions } from "../cli/judge-run.ts";
import { MODULE, readGiven, type StatedFacts, TEXT, type ValueKind } from "../cli/option-values.ts";
import {
  entriesWith,
  keyOf,
  OPTIONS,
  type Stated,
  type TargetTableOptions,
  URL_OPTIONS,
  WAYS,
} from "../cli/options.ts";
import { UsageError } from "../cli/usage-error.ts";
import { suggestion } from "../engine/data/schema.ts";
import { isObject } from "../engine/play/exchange.ts";

export type { StatedFacts };

/** A file that exports `createService`, JavaScript or TypeScript; it runs in a process of its own. */
export interface ModuleTarget {
  /** Its path, from the working directory, or a URL: `new URL("./service.ts", import.meta.url)` is next to the file at hand. */
  readonly module: string | URL;
}

/** A program that speaks the adapter protocol on its standard input and output. */
export interface CommandTarget {
  /** As a shell takes it. */
  readonly command: string;
}

/** A server, by the contract's HTTP mapping. */
export interface UrlTarget extends Stated<"url"> {
  readonly url: string;
}

/**
 * A service of the calling program. It shares its process with the kit: one that loops, exits or fills the memory takes
 * the program with it. To prevent that, name its file as `module`.
 */
export interface ServiceTarget {
  /** What a module would export: `createService`, `facts`, and `capabilities` where there are any. */
  readonly service: ServiceModule;
}

/** Every option of every way. */
export type AnyTarget = ModuleTarget & CommandTarget & UrlTarget & ServiceTarget;

/** One way to reach an implementation, and nothing that belongs to another. */
export type Alone<Way> = Way & { readonly [Other in Exclude<keyof AnyTarget, keyof Way>]?: never };

/** What is judged, and how it is reached. */
export type Target = Alone<ModuleTarget> | Alone<CommandTarget> | Alone<UrlTarget> | Alone<ServiceTarget>;

/** Options of `judge`: the target, those of the command `run`, and a signal. */
export interface JudgeOptions extends Stated<"judge"> {
  /** What is judged. There is none by default. */
  readonly target: Target;
  /** Stops the run: what was found until then is reported. */
  readonly signal?: AbortSignal;
}

/** Options of `run` that a target of a configuration file may have. Paths count from the folder of the file. */
export interface TargetOptions extends TargetTableOptions {}

/** A way to reach an implementation, as a file names it: a module by its path. */
export type InFile<Way> = Way extends { readonly module: string | URL }
  ? Omit<Way, "module"> & { readonly module: string }
  : Way;

/** An implementation, and how it is judged. */
export type TargetConfig = InFile<Exclude<Target, Pick<ServiceTarget, "service">>> & TargetOptions;

/** What `launch-draft.config.{ts,mts,js,mjs}` exports by default, and `launch-draft.config.json` holds. */
export interface Config {
  /** Implementations by their names: `run NAME` judges one, `run` alone the only one or the one that is named `default`. */
  readonly targets: Readonly<Record<string, TargetConfig>>;
}

/** The options of a call as those of a run. */
export interface JudgeAsked {
  readonly options: JudgeRunOptions;
  /** The service, where it is an object of the calling program. */
  readonly service?: ServiceModule;
  readonly signal?: AbortSignal;
}

/** How a value is read. */
type Reader = Pick<ValueKind<unknown, unknown>, "accept" | "expected">;
/** Options by their names, each with how it is read. */
type Readers = Readonly<Record<string, Reader>>;

const OBJECT: Reader = { expected: "an object", accept: (given) => (isObject(given) ? given : undefined) };
const SIGNAL: Reader = {
  expected: "an AbortSignal",
  accept: (given) => (given instanceof AbortSignal ? given : undefined),
};
const SERVICE: Reader = {
  expected: "an object with a createService function",
  accept: (given) => (isObject(given) && typeof given["createService"] === "function" ? given : undefined),
};

const OF_JUDGE = entriesWith("judge");
const READERS: Readers = {
  target: OBJECT,
  ...Object.fromEntries(OF_JUDGE.map(([name, { kind }]) => [name, kind])),
  signal: SIGNAL,
};
/** What `run` has where the command line is silent. */
const DEFAULTS = Object.fromEntries(
  OF_JUDGE.flatMap(([name, entry]) => (entry.default === undefined ? [] : [[keyOf(name), entry.default]])),
);

/** The options of each way to reach an implementation. */
const TARGETS: Readonly<Record<string, Readers>> = {
  ...Object.fromEntries(WAYS.map((way) => [way, { [way]: way === "module" ? MODULE : TEXT }])),
  url: Object.fromEntries((["url", ...URL_OPTIONS] as const).map((name) => [name, OPTIONS[name].kind])),
  service: { service: SERVICE },
};
/** Names of the ways to reach an implementation from a program. */
export const TARGET_WAYS = Object.keys(TARGETS);

/**
 * Reads what `judge` was given.
 * @param caller what errors begin with
 * @throws {UsageError} one line: the option, what it must be and what was given, and the nearest name for an unknown one
 */
export function judgeAsked(given: JudgeOptions, caller = "judge"): JudgeAsked {
  const read = values(given, READERS, caller);
  const target = readTarget(read["target"] as object, caller);
  const { service, ...reach } = target;
  if (service !== undefined && read["jobs"] !== undefined)
    throw new UsageError(`${caller}: jobs: a service shares this process; name its file as module for more`);
  const { target: _, signal, ...rest } = read;
  const stated = Object.entries(rest).map(([name, value]) => [keyOf(name as keyof Stated<"judge">), value]);
  const options = {
    ...DEFAULTS,
    jobs: 1,
    ...hostsOf(reach["facts"]),
    ...Object.fromEntries(stated),
    ...reach,
    runsGiven: read["runs"] !== undefined,
  } as unknown as JudgeRunOptions;
  return {
    options,
    ...(service === undefined ? {} : { service: service as ServiceModule }),
    ...(signal === undefined ? {} : { signal: signal as AbortSignal }),
  };
}

/** The hosts among facts that are no file, since a command line can name them. */
function hostsOf(facts: unknown): Pick<StatedFacts, "metadataHosts"> | undefined {
  const { metadataHosts } = (isObject(facts) ? facts : {}) as Partial<StatedFacts>;
  return Array.isArray(metadataHosts) ? { metadataHosts } : undefined;
}

function readTarget(target: object, caller: string): Readonly<Record<string, unknown>> {
  const given = TARGET_WAYS.filter((way) => (target as Readonly<Record<string, unknown>>)[way] !== undefined);
  const [way] = given;
  if (given.length > 1)
    throw new UsageError(`${caller}: target: give one of ${given.join(", ")}, not several`);
  if (way === undefined) {
    const unknown = Object.keys(target)[0];
    const near =
      unknown === undefined ? "" : `, not ${oneLine(unknown, 40)}${suggestion(unknown, TARGET_WAYS)}`;
    throw new UsageError(`${caller}: target: give one of ${TARGET_WAYS.join(", ")}${near}`);
  }
  return values(target, TARGETS[way] ?? {}, `${caller}: target`);
}

/** Reads each member by its name; an undefined one is as if it were not there. */
function values(given: unknown, known: Readers, where: string): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null)
    throw new UsageError(`${where}: options must be an object, got ${shown(given)}`);
  const read: Record<string, unknown> = {};
  if ("target" in known && (given as { target?: unknown }).target === undefined)
    throw new UsageError(`${where}: target is missing: give one of ${TARGET_WAYS.join(", ")}`);
  for (const [name, value] of Object.entries(given)) {
    const reader = Object.hasOwn(known, name) ? known[name] : undefined;
    if (reader === undefined)
      throw new UsageError(
        `${where}: there is no option ${oneLine(name, 40)}${suggestion(name, Object.keys(known))}; there are ${Object.keys(known).join(", ")}`,
      );
    if (value !== undefined) read[name] = readGiven(reader, value, `${where}: ${name}`);
  }
  return read;
}
