/**
 * The options of the kit. Each is declared here once: the commands and their help, completion, the schema and the type of
 * configuration files, the options of `judge` and of `conformanceTests`, and the inputs of the GitHub action are made of
 * this table. `npm run options` writes the files.
 */
import { DEFAULT_DEPTH, DEFAULT_RUNS, DEFAULT_SCRIPTS, DEFAULT_SEED } from "../engine/search/default-runs.ts";
import { shellQuote } from "../reports/reproduction-command.ts";
import * as kind from "./option-values.ts";
import { REPORTERS } from "./reporters.ts";
import { LANGUAGES } from "./skeletons.ts";

/** A command that takes options. */
export type CommandName =
  | "run"
  | "client"
  | "replay"
  | "golden"
  | "merge"
  | "compare"
  | "report"
  | "list"
  | "serve"
  | "init";

/**
 * Where else an option is used: it is a way to reach an implementation, of which one is given, or goes with the way
 * `url` alone; `judge`, `conformanceTests` and targets of configuration files take it; the GitHub action has an input of it.
 */
export type Trait = "way" | "url" | "judge" | "tests" | "target" | "action";

/** What most options have no need to say. */
interface Details {
  /** What --help, the schema and the action say. */
  readonly help: string;
  /** Help of commands that mean something else by it. */
  readonly helpOf?: { readonly [Command in CommandName]?: string };
  /** Value where it is not given. */
  readonly default?: unknown;
  /** Values of commands that have another. */
  readonly defaultOf?: { readonly [Command in CommandName]?: unknown };
  /** All words that it takes, where these are few. */
  readonly choices?: readonly string[];
  readonly traits?: readonly Trait[];
  /** Its name in configuration files, where it has another there. */
  readonly inFiles?: string;
}

/** What is known of one option. */
export interface OptionEntry extends Details {
  readonly kind: kind.ValueKind<unknown, unknown>;
  /** What stands for its value in --help, as commander has it: `<n>`, `[dir]` for one that may be left out, `<id...>` for several. */
  readonly value: string;
  /** The commands that take it. */
  readonly on: readonly CommandName[];
}

type On = OptionEntry["on"];
/** Details, and no member that is none. */
type Exact<More> = More & { readonly [Name in Exclude<keyof More, keyof Details>]: never };

/** An option with a value. */
function option<
  const Kind extends OptionEntry["kind"],
  const Commands extends On,
  const More extends Details,
>(of: Kind, value: string, on: Commands, more: Exact<More>) {
  return { kind: of, value, on, ...(more as More) };
}

/** A switch that is off by default. */
function switchOff<const Commands extends On, const More extends Details>(on: Commands, more: Exact<More>) {
  return { kind: kind.SWITCH, value: "", on, default: false, ...(more as More) };
}

/** A switch that is undefined by default. */
function optionalSwitch<const Commands extends On, const More extends Details>(
  on: Commands,
  more: Exact<More>,
) {
  return { kind: kind.SWITCH, value: "", on, ...(more as More) };
}

const REACHING = ["run", "replay", "golden"] as const;
const JUDGING = ["run", "replay"] as const;
const REPORTING = ["run", "client", "replay", "merge", "report"] as const;
/** Commands that hold what they judge to files of known failures and observed choices. */
const HOLDING = ["run", "client", "merge"] as const;

/** The table. A doc comment is what editors show of an option of `judge` and of configuration files. */
export const OPTIONS = {
  module: option(kind.MODULE, "<file>", [...REACHING, "client"], {
    help: "JavaScript or TypeScript module that exports createService",
    helpOf: { client: "JavaScript or TypeScript module that exports launch" },
    traits: ["way", "target", "action"],
  }),
  command: option(kind.TEXT, "<cmd>", [...REACHING, "client"], {
    help: "command that speaks the adapter protocol on standard input and output",
    helpOf: { client: "command that reads a task on standard input and writes its result" },
    traits: ["way", "target", "action"],
  }),
  url: option(kind.TEXT, "<url>", REACHING, {
    help: "running service, by the contract's HTTP mapping",
    traits: ["way", "target", "action"],
  }),
  resident: optionalSwitch(["client"], {
    help: "with --command: the command keeps running and reads tasks as JSON-RPC lines",
  }),
  port: option(kind.PORT, "<n>", ["serve"], {
    help: "port to listen on; 0 for any free port",
    default: 0,
  }),
  host: option(kind.TEXT, "<address>", ["serve"], {
    help: "loopback address to listen on",
    default: "127.0.0.1",
  }),
  control: switchOff(["serve"], {
    help: "add a test clock, and the adapter protocol's messages at /control",
  }),
  capacity: option(kind.COUNT, "<n>", ["serve"], {
    help: "maximum number of challenges, sessions and drafts held at once (default: 20000; with --control, few)",
  }),
  /** URL to which the adapter protocol's other messages are posted, so that the server can be restarted and its clock moved. */
  controlUrl: option(kind.TEXT, "<url>", REACHING, {
    help: "URL to which the adapter protocol's other messages are posted",
    traits: ["url", "target", "action"],
  }),
  /** Facts that cannot be observed from outside, or a YAML or JSON file that holds them. */
  facts: option(kind.FACTS, "<file>", [...REACHING, "client"], {
    help: "YAML or JSON file with the adapter protocol's facts",
    helpOf: { client: "with --command: YAML or JSON file with the client protocol's facts" },
    traits: ["url", "target", "action"],
  }),
  /** The two metadata gateway hosts, where these are all the facts. */
  metadataHosts: option(kind.HOSTS, "<host...>", REACHING, {
    help: "the two metadata gateway hosts",
    traits: ["url", "target"],
  }),
  /** PEM file of certificates to trust. */
  caFile: option(kind.PATH, "<file>", REACHING, {
    help: "PEM file of certificates to trust",
    traits: ["url", "target"],
  }),
  /** Whether to trust any certificate of this machine. */
  allowSelfSigned: optionalSwitch(REACHING, {
    help: "trust any certificate of this machine",
    traits: ["url", "target"],
  }),
  /** Time limit for one call: ms, or a text such as `5s`; 5 s by default, 0 for none. */
  timeout: option(kind.DURATION, "<duration>", [...REACHING, "client"], {
    help: "time limit for one call; 0 for none",
    helpOf: { client: "time limit for one task; 0 for none" },
    default: 5_000,
    traits: ["judge", "tests", "target"],
  }),
  /** Globs over the ids of vectors and properties; all by default. A selection gives no verdict. */
  only: option(kind.TEXTS, "<glob...>", [...JUDGING, "client", "list"], {
    help: "globs over ids: only the vectors and properties that match, which gives no verdict",
    helpOf: { list: "globs over ids: only the vectors that match" },
    default: [],
    traits: ["judge", "tests", "target", "action"],
  }),
  /** Seed of all key pairs and random cases; 1 by default. */
  seed: option(kind.SEED, "<n>", [...JUDGING, "client"], {
    help: "seed of all key pairs and random cases, or `random`",
    default: DEFAULT_SEED,
    traits: ["judge", "tests", "target"],
  }),
  /** Text that separates the key pairs of this run from those of others; drawn by default where the service outlives the run. */
  salt: option(kind.SALT, "<text>", JUDGING, {
    help: "text that separates this run's key pairs and keys from those of other runs (default: drawn where the service outlives the run)",
    traits: ["judge", "tests", "target"],
  }),
  /** Whether to stop at the first failure. */
  bail: switchOff([...JUDGING, "client"], { help: "stop at the first failure", traits: ["judge", "target"] }),
  /** Random cases that each property tries, 60 by default; 0 for none. */
  runs: option(kind.COUNT, "<n>", ["run", "client"], {
    help: "number of random cases of each property; 0 for none",
    helpOf: { client: "number of random scripts of the search; 0 for none" },
    default: DEFAULT_RUNS,
    defaultOf: { client: DEFAULT_SCRIPTS },
    traits: ["judge", "tests", "target"],
  }),
  /** Length of the sequences of the exhaustive search, 3 by default; 0 for none. */
  exhaustive: option(kind.DEPTH, "<depth>", ["run"], {
    help: `length of the command sequences of the exhaustive search; 0 for none (default: ${DEFAULT_DEPTH})`,
    traits: ["judge", "tests", "target"],
  }),
  /** Parallel processes or threads, for a command or a module: 1 by default. */
  jobs: option(kind.POSITIVE, "<n>", [...JUDGING, "client"], {
    help: "number of parallel processes or threads of a command or a module (default: 1; the bundled reference: one per core)",
    helpOf: { client: "number of parallel processes (default: 1; with --command: two per core)" },
    traits: ["judge", "target"],
  }),
  /** Longest wait on a real clock: ms, or a text such as `90s`, which is the default. */
  maxWait: option(kind.DURATION, "<duration>", JUDGING, {
    help: "longest wait on a real clock",
    default: 90_000,
    traits: ["judge", "tests", "target"],
  }),
  /** Required rules, or capabilities (`capability:restart`), that may remain untested. */
  allowUntried: option(kind.TEXTS, "<name...>", ["run", "client"], {
    help: "required rules that may remain untested, and capabilities that may be missing: RULE-ID, capability:NAME, or globs",
    default: [],
    traits: ["judge", "target"],
  }),
  /** YAML file of known failures. */
  baseline: option(kind.PATH, "<file>", HOLDING, {
    help: "YAML file of known failures, which do not fail the run; stale and expired entries do",
    traits: ["judge", "target", "action"],
  }),
  updateBaseline: optionalSwitch(HOLDING, {
    help: "write every failure of this run to the file of --baseline",
  }),
  /** YAML file of earlier observed choices; one that changed fails the run. */
  choices: option(kind.PATH, "<file>", HOLDING, {
    help: "YAML file of earlier observed choices; one that changed fails the run",
    traits: ["judge", "target", "action"],
  }),
  updateChoices: optionalSwitch(HOLDING, {
    help: "write the choices observed in this run to the file of --choices",
  }),
  /** The part of the run to do, `2/3`: `mergeReports` puts the parts together. */
  shard: option(kind.SHARD, "<i/n>", ["run", "client"], {
    help: "do part I of N of the run; `merge` makes one report of the parts",
    traits: ["judge", "action"],
  }),
  /** File of vectors to play in place of the kit's own. */
  replay: option(kind.TEXT, "<file>", ["client"], {
    help: "play the vectors of a file in place of the kit's own",
    traits: ["judge"],
  }),
  failed: option(kind.OPTIONAL_TEXT, "[report]", ["run", "client"], {
    help: "only what failed or was an error in the last run, or in a json report",
  }),
  watch: optionalSwitch(["run", "client"], {
    help: "judge again, first what failed last time, when a file of the module or of --restart-on is saved",
  }),
  /** Globs over files: `--watch` judges again when one of them is saved. */
  restartOn: option(kind.FILE_GLOBS, "<glob...>", ["run", "client"], {
    help: "with --watch: globs over files; judge again when one of them is saved",
    traits: ["target"],
  }),
  config: option(kind.TEXT, "<file>", ["run"], {
    help: "path to the configuration file (default: launch-draft.config.{ts,mts,js,mjs,json} in this folder)",
  }),
  /** Folder to which the counterexamples of failed properties are written. */
  saveFailures: option(kind.PATH, "<dir>", ["run"], {
    help: "write the counterexamples of failed properties to this folder, as vectors",
    traits: ["target"],
  }),
  clients: switchOff(["list"], { help: "list the items for clients, not those for services" }),
  /** `NAME` or `NAME=FILE`, as `--reporter` takes them. Those with a file are left out of a run of selected vectors. */
  reporter: option(kind.REPORTER_SPECS, "<name[=file]>", [...REPORTING, "compare"], {
    help: `${REPORTERS.join(", ")}, or any reporter for node:test (a package, or a ./file); repeatable`,
    helpOf: { compare: "console, json or html; repeatable" },
    default: [],
    inFiles: "reporters",
    traits: ["target"],
  }),
  exitStatus: switchOff(["report"], { help: "end with the exit status of the run, not with 0" }),
  check: switchOff(["golden"], {
    help: "report differences, one line a file; the fixtures are replayed on an implementation other than the reference",
  }),
  /** Whether reports show everything. */
  verbose: switchOff([...REPORTING, "compare", "golden"], {
    help: "show everything: each choice, and each test that was skipped or failed alike",
    helpOf: {
      compare: "list every open point that is read differently",
      golden: "with --check: list every answer that differs as the contract allows",
    },
    traits: ["target"],
  }),
  rules: switchOff(["list"], { help: "list the rules, with the number of vectors that test each" }),
  points: switchOff(["list"], { help: "list what the contract leaves open, with the reference's choice" }),
  properties: switchOff(["list"], { help: "list the properties, with the number of cases in a usual run" }),
  json: switchOff(["list"], { help: "print JSON" }),
  language: option(kind.TEXT, "<name>", ["init"], {
    help: "language of the skeleton",
    default: "typescript",
    choices: LANGUAGES,
  }),
  client: switchOff(["init"], { help: "write a client: in typescript or python; other for the protocol" }),
  list: switchOff(["init"], { help: "list the languages, and what each needs" }),
} satisfies Readonly<Record<string, OptionEntry>>;

type Table = typeof OPTIONS;
/** An option, by its name in programs: `controlUrl` for `--control-url`. */
export type OptionName = keyof Table;
type Value<Name extends OptionName> =
  Table[Name]["kind"] extends kind.ValueKind<infer V, infer _> ? V : never;
type Given<Name extends OptionName> =
  Table[Name]["kind"] extends kind.ValueKind<infer _, infer G> ? G : never;

/** The name of an option in the kit, which has the unit of a duration: `timeoutMs`. */
type Key<Name extends OptionName> = Table[Name]["kind"] extends { readonly unit: infer Unit extends string }
  ? `${Name}${Unit}`
  : Name;

/** Options that a command takes, of those that are sure to have a value, or of the others. */
type NamesOf<Command extends CommandName, Sure extends boolean> = {
  [Name in OptionName]: Command extends Table[Name]["on"][number]
    ? Table[Name] extends { readonly default: unknown }
      ? Sure extends true
        ? Name
        : never
      : Sure extends true
        ? never
        : Name
    : never;
}[OptionName];

/** The options of a command, once they are read. No command line states facts themselves. */
export type OptionsOf<Command extends CommandName> = {
  readonly [Name in NamesOf<Command, true> as Key<Name>]: Exclude<Value<Name>, kind.StatedFacts>;
} & {
  readonly [Name in NamesOf<Command, false> as Key<Name>]?: Exclude<Value<Name>, kind.StatedFacts>;
};

type Has<Name extends OptionName, One extends Trait> = Table[Name] extends {
  readonly traits: readonly (infer Own)[];
}
  ? One extends Own
    ? true
    : false
  : false;

/** Options as programs state them, of those with a trait. */
export type Stated<One extends Trait> = {
  readonly [Name in keyof Table as Has<Name, One> extends true ? Name : never]?: Given<Name>;
};

/** The ways to reach an implementation. */
export type WayName = keyof Stated<"way">;
/** The options of a target of a configuration file besides those that reach it. */
export type TargetTableOptions = {
  readonly [Name in keyof Stated<"target"> as Name extends WayName | keyof Stated<"url"> | keyof Renamed
    ? never
    : Name]: Stated<"target">[Name];
} & {
  readonly [Name in keyof Renamed as Renamed[Name]]?: Given<Name>;
};
/** Options with another name in configuration files, and those names. */
type Renamed = {
  readonly [Name in OptionName as Table[Name] extends { readonly inFiles: string }
    ? Name
    : never]: Table[Name] extends {
    readonly inFiles: infer Other extends string;
  }
    ? Other
    : never;
};

/** All options, by their names in programs. */
export const ENTRIES = Object.entries<OptionEntry>(OPTIONS) as readonly (readonly [
  OptionName,
  OptionEntry,
])[];

/** The options with a trait. */
export function entriesWith(trait: Trait): typeof ENTRIES {
  return ENTRIES.filter(([, { traits }]) => traits?.includes(trait));
}

/** Names of the options with a trait. */
export function namesWith<One extends Trait>(trait: One): readonly (keyof Stated<One> & OptionName)[] {
  return entriesWith(trait).map(([name]) => name) as never;
}

/** Names of the options that are ways to reach an implementation. */
export const WAYS = namesWith("way");
/** Names of the options that go with `--url` alone. */
export const URL_OPTIONS = namesWith("url");
/** Names of the options that name an implementation; without any of them the bundled reference is judged. */
export const ADAPTER_OPTIONS = [...WAYS, ...URL_OPTIONS] as const;

/** The name of an option in the kit. */
export function keyOf(name: OptionName): string {
  const { kind: of } = OPTIONS[name];
  return "unit" in of ? name + of.unit : name;
}

/** An option as it stands on a command line: `--control-url`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Options as they stand on a command line, quoted for a shell. What no command line can state (facts themselves) and
 * switches that are off are left out.
 */
export function commandWords(
  options: Readonly<Record<string, unknown>>,
  names: readonly OptionName[],
): readonly string[] {
  return names.flatMap((name) => {
    const value = options[name];
    const isObject = typeof value === "object" && !Array.isArray(value);
    if (value === undefined || value === false || isObject) return [];
    return [flagOf(name), ...(value === true ? [] : [value].flat().map((word) => shellQuote(String(word))))];
  });
}
