/**
 * The options of the kit. Each is declared here once: the commands and their help, completion, the schema and the type of
 * configuration files, the options of `judge` and of `conformanceTests`, and the inputs of the GitHub action are made of
 * this table. `npm run options` writes the files.
 */
import { CONTRACT_ID } from "../contract/operations.ts";
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
  | "audit"
  | "report"
  | "list"
  | "serve"
  | "proxy"
  | "init";

/** What is known of one option. */
interface OptionEntry {
  /** The option as commander declares it: `--jobs <n>`. */
  readonly flag: string;
  readonly kind: kind.ValueKind<unknown, unknown>;
  /** The commands that take it. */
  readonly on: readonly CommandName[];
  /** The command that does not work without it. */
  readonly requiredOn?: CommandName;
  /** What --help and the schema say. */
  readonly help: string;
  /** Help of commands that mean something else by it. */
  readonly helpOf?: { readonly [Command in CommandName]?: string };
  /** Value where it is not given. */
  readonly default?: unknown;
  /** Values of commands that have another. */
  readonly defaultOf?: { readonly [Command in CommandName]?: unknown };
  /** All words that it takes, where these are few. */
  readonly choices?: readonly string[];
  /** The option that it needs, for the commands that have a service to reach. */
  readonly needs?: "url";
  /** Whether it is a way to reach an implementation, of which one is given. */
  readonly way?: true;
  /** Whether `judge` takes it besides a target. */
  readonly api?: true;
  /** Whether `conformanceTests` takes it besides a target. */
  readonly tests?: true;
  /** Whether a target of a configuration file has it, or by which name. */
  readonly target?: true | string;
  /** Description of the GitHub action's input, where it has one. */
  readonly action?: string;
}

const REACHING = ["run", "replay", "golden"] as const;
const JUDGING = ["run", "replay"] as const;
const TRAFFIC = ["audit", "proxy"] as const;
const REPORTING = ["run", "client", "replay", "merge", "audit", "report", "proxy"] as const;
/** Commands that hold what they judge to files of known failures and observed choices. */
const HOLDING = ["run", "client", "merge", "audit", "proxy"] as const;

export const OPTIONS = {
  module: {
    flag: "--module <file>",
    kind: kind.MODULE,
    on: [...REACHING, "client"],
    help: "JavaScript or TypeScript module that exports createService",
    helpOf: { client: "JavaScript or TypeScript module that exports launch" },
    way: true,
    target: true,
    action: "JavaScript or TypeScript module that exports createService (for a client, launch)",
  },
  command: {
    flag: "--command <cmd>",
    kind: kind.TEXT,
    on: [...REACHING, "client"],
    help: "command that speaks the adapter protocol on standard input and output",
    helpOf: { client: "command that reads a task on standard input and writes its result" },
    way: true,
    target: true,
    action:
      "command that speaks the adapter protocol on standard input and output (for a client, does one launch)",
  },
  attach: {
    flag: "--attach <host:port>",
    kind: kind.TEXT,
    on: REACHING,
    help: "HOST:PORT of a process on this machine that speaks the adapter protocol over a socket",
    way: true,
    target: true,
  },
  url: {
    flag: "--url <url>",
    kind: kind.TEXT,
    on: [...REACHING, "proxy"],
    requiredOn: "proxy",
    help: "running service, by the contract's HTTP mapping",
    helpOf: { proxy: "service that requests are passed on to" },
    way: true,
    target: true,
    action: "running service, by the contract's HTTP mapping",
  },
  resident: {
    flag: "--resident",
    kind: kind.SWITCH,
    on: ["client"],
    help: "with --command: the command keeps running and reads tasks as JSON-RPC lines",
  },
  port: {
    flag: "--port <n>",
    kind: kind.PORT,
    on: ["serve", "proxy"],
    help: "port to listen on; 0 for any free port",
    default: 0,
  },
  host: {
    flag: "--host <address>",
    kind: kind.TEXT,
    on: ["serve", "proxy"],
    help: "loopback address to listen on",
    helpOf: { proxy: "address to listen on" },
    default: "127.0.0.1",
  },
  control: {
    flag: "--control",
    kind: kind.SWITCH,
    on: ["serve"],
    help: "add a test clock, and the adapter protocol's messages at /control",
    default: false,
  },
  capacity: {
    flag: "--capacity <n>",
    kind: kind.COUNT,
    on: ["serve"],
    help: "maximum number of challenges, sessions and drafts held at once (default: 20000; with --control, few)",
  },
  golden: {
    flag: "--golden [dir]",
    kind: kind.OPTIONAL_TEXT,
    on: ["serve"],
    help: "answer from golden fixtures (default: the kit's own)",
  },
  keepHost: {
    flag: "--keep-host",
    kind: kind.SWITCH,
    on: ["proxy"],
    help: "send the client's Host header to the service, in place of the service's own",
    default: false,
  },
  /** URL to which the adapter protocol's other messages are posted, so that the server can be restarted and its clock moved. */
  controlUrl: {
    flag: "--control-url <url>",
    kind: kind.TEXT,
    on: REACHING,
    help: "URL to which the adapter protocol's other messages are posted",
    needs: "url",
    target: true,
    action: "with url: URL to which the adapter protocol's other messages are posted",
  },
  /** What nobody can observe: the facts, or a YAML or JSON file that holds them. */
  facts: {
    flag: "--facts <file>",
    kind: kind.FACTS,
    on: [...REACHING, "client", ...TRAFFIC],
    help: "YAML or JSON file with the adapter protocol's facts",
    helpOf: { client: "with --command: YAML or JSON file with the client protocol's facts" },
    needs: "url",
    target: true,
    action: "with url, or with the command of a client: file with the protocol's facts",
  },
  /** The two metadata gateway hosts, where these are all the facts. */
  metadataHosts: {
    flag: "--metadata-hosts <host...>",
    kind: kind.HOSTS,
    on: [...REACHING, ...TRAFFIC],
    help: "the two metadata gateway hosts",
    needs: "url",
    target: true,
  },
  /** PEM file of certificates to trust. */
  caFile: {
    flag: "--ca-file <file>",
    kind: kind.PATH,
    on: [...REACHING, "proxy"],
    help: "PEM file of certificates to trust",
    needs: "url",
    target: true,
  },
  /** Whether to trust any certificate of this machine. */
  allowSelfSigned: {
    flag: "--allow-self-signed",
    kind: kind.SWITCH,
    on: [...REACHING, "proxy"],
    help: "trust any certificate of this machine",
    needs: "url",
    target: true,
  },
  /** Time limit for one call: ms, or a text such as `5s`; 5 s by default, 0 for none. */
  timeout: {
    flag: "--timeout <duration>",
    kind: kind.DURATION,
    on: [...REACHING, "client"],
    help: "time limit for one call; 0 for none",
    helpOf: { client: "time limit for one task; 0 for none" },
    default: 5_000,
    api: true,
    tests: true,
    target: true,
  },
  clockDoubt: {
    flag: "--clock-doubt <duration>",
    kind: kind.DURATION,
    on: ["audit"],
    help: "maximum difference between the clocks of the recorders",
    default: 0,
  },
  /** Globs over the ids of vectors and properties; all by default. A selection gives no verdict. */
  only: {
    flag: "--only <glob...>",
    kind: kind.TEXTS,
    on: [...JUDGING, "client", "list"],
    help: "globs over ids: only the vectors and properties that match, which gives no verdict",
    helpOf: { list: "globs over ids: only the vectors that match" },
    default: [],
    api: true,
    tests: true,
    target: true,
    action: "globs over ids, one a line",
  },
  /** Seed of all key pairs and random cases; 1 by default. */
  seed: {
    flag: "--seed <n>",
    kind: kind.SEED,
    on: [...JUDGING, "client"],
    help: "seed of all key pairs and random cases, or `random`",
    default: DEFAULT_SEED,
    api: true,
    tests: true,
    target: true,
  },
  /** Text that separates the key pairs of this run from those of others; drawn by default where the service outlives the run. */
  salt: {
    flag: "--salt <text>",
    kind: kind.SALT,
    on: JUDGING,
    help: "text that separates this run's key pairs and keys from those of other runs (default: drawn where the service outlives the run)",
    api: true,
    tests: true,
    target: true,
  },
  /** Whether to stop at the first failure. */
  bail: {
    flag: "--bail",
    kind: kind.SWITCH,
    on: [...JUDGING, "client"],
    help: "stop at the first failure",
    default: false,
    api: true,
    target: true,
  },
  /** Random cases that each property tries, 60 by default; 0 for none. */
  runs: {
    flag: "--runs <n>",
    kind: kind.COUNT,
    on: ["run", "client"],
    help: "number of random cases of each property; 0 for none",
    helpOf: { client: "number of random scripts of the search; 0 for none" },
    default: DEFAULT_RUNS,
    defaultOf: { client: DEFAULT_SCRIPTS },
    api: true,
    tests: true,
    target: true,
  },
  /** Length of the sequences of which every one is tried, 3 by default; 0 for none. */
  exhaustive: {
    flag: "--exhaustive <depth>",
    kind: kind.DEPTH,
    on: ["run"],
    help: `length of the sequences of a small set of commands that are all tried; 0 for none (default: ${DEFAULT_DEPTH})`,
    api: true,
    tests: true,
    target: true,
  },
  /** Parallel processes or threads, for a command or a module: 1 by default. */
  jobs: {
    flag: "--jobs <n>",
    kind: kind.POSITIVE,
    on: [...JUDGING, "client"],
    help: "number of parallel processes or threads of a command or a module (default: 1; the bundled reference: one per core)",
    helpOf: { client: "number of parallel processes (default: 1; with --command: two per core)" },
    api: true,
    target: true,
  },
  /** Longest wait on a real clock: ms, or a text such as `90s`, which is the default. */
  maxWait: {
    flag: "--max-wait <duration>",
    kind: kind.DURATION,
    on: JUDGING,
    help: "longest wait on a real clock",
    default: 90_000,
    api: true,
    tests: true,
    target: true,
  },
  /** Required rules, or capabilities (`capability:restart`), that may remain untested. */
  allowUntried: {
    flag: "--allow-untried <name...>",
    kind: kind.TEXTS,
    on: ["run", "client"],
    help: "required rules that may remain untested, and capabilities that may be missing: RULE-ID, capability:NAME, or globs",
    default: [],
    api: true,
    target: true,
  },
  /** YAML file of known failures. */
  baseline: {
    flag: "--baseline <file>",
    kind: kind.PATH,
    on: HOLDING,
    help: "YAML file of known failures, which do not fail the run; stale and expired entries do",
    api: true,
    target: true,
    action: "YAML file of known failures",
  },
  updateBaseline: {
    flag: "--update-baseline",
    kind: kind.SWITCH,
    on: HOLDING,
    help: "write every failure of this run to the file of --baseline",
  },
  /** YAML file of earlier observed choices; one that changed fails the run. */
  choices: {
    flag: "--choices <file>",
    kind: kind.PATH,
    on: HOLDING,
    help: "YAML file of earlier observed choices; one that changed fails the run",
    api: true,
    target: true,
    action: "YAML file of earlier observed choices",
  },
  updateChoices: {
    flag: "--update-choices",
    kind: kind.SWITCH,
    on: HOLDING,
    help: "write the choices observed in this run to the file of --choices",
  },
  /** The frozen set to judge by: `partner-preview-1@VERSION`. */
  suite: {
    flag: "--suite <name>",
    kind: kind.TEXT,
    on: ["run", "client"],
    help: `judge by the vectors that counted in a release: ${CONTRACT_ID}@VERSION`,
    api: true,
    target: true,
    action: `frozen set to judge by: ${CONTRACT_ID}@VERSION`,
  },
  /** The part of the run to do, `2/3`: `mergeReports` puts the parts together. */
  shard: {
    flag: "--shard <i/n>",
    kind: kind.SHARD,
    on: ["run", "client"],
    help: "do part I of N of the run; `merge` makes one report of the parts",
    api: true,
    action: "I/N, to do part I of N of the run",
  },
  /** File of vectors to play in place of the kit's own. */
  replay: {
    flag: "--replay <file>",
    kind: kind.TEXT,
    on: ["client"],
    help: "play the vectors of a file in place of the kit's own",
    api: true,
  },
  failed: {
    flag: "--failed [report]",
    kind: kind.OPTIONAL_TEXT,
    on: ["run", "client"],
    help: "only what failed or was an error in the last run, or in a json report",
  },
  watch: {
    flag: "--watch",
    kind: kind.SWITCH,
    on: ["run", "client"],
    help: "judge again, first what failed last time, when a file of the module or of --restart-on is saved",
  },
  restartOn: {
    flag: "--restart-on <glob...>",
    kind: kind.FILE_GLOBS,
    on: ["run", "client"],
    help: "with --watch: globs over files; judge again when one of them is saved",
    target: true,
  },
  config: {
    flag: "--config <file>",
    kind: kind.TEXT,
    on: ["run"],
    help: "path to the configuration file (default: launch-draft.config.{ts,mts,js,mjs,json} in this folder)",
  },
  record: {
    flag: "--record <file>",
    kind: kind.TEXT,
    on: ["run", "proxy"],
    help: "record all exchanges for `audit`: HAR 1.2 in a file named .har, else JSON lines",
  },
  showSecrets: {
    flag: "--show-secrets",
    kind: kind.SWITCH,
    on: ["proxy"],
    help: "do not mask bearers, signatures and cookies in the recording and in reports",
    default: false,
  },
  har: {
    flag: "--har <file>",
    kind: kind.TEXT,
    on: ["golden"],
    help: "write the folder's fixtures to one HAR 1.2 file",
  },
  harDir: {
    flag: "--har-dir <dir>",
    kind: kind.TEXT,
    on: ["golden"],
    help: "write the folder's fixtures as HAR 1.2, one file each",
  },
  baseUrl: {
    flag: "--base-url <url>",
    kind: kind.BASE_URL,
    on: ["audit", "golden"],
    help: "with HAR files: URL before the path of each request",
    helpOf: { golden: "with --har or --har-dir: URL before the path of each request" },
  },
  /** Folder to which the counterexamples of failed properties are written. */
  saveFailures: {
    flag: "--save-failures <dir>",
    kind: kind.PATH,
    on: ["run", ...TRAFFIC],
    help: "write the counterexamples of failed properties to this folder, as vectors",
    helpOf: {
      audit: "write findings to this folder as vectors, with key pairs of the kit",
      proxy: "write findings to this folder as vectors that can be replayed",
    },
    target: true,
  },
  clients: {
    flag: "--clients",
    kind: kind.SWITCH,
    on: [...TRAFFIC, "list"],
    help: "judge the clients as well, in a separate report",
    helpOf: { list: "list the items for clients, not those for services" },
    default: false,
  },
  clientReporter: {
    flag: "--client-reporter <name[=file]>",
    kind: kind.REPORTER_SPECS,
    on: TRAFFIC,
    help: "with --clients: as --reporter, for the report about clients",
    default: [],
  },
  /** `NAME` or `NAME=FILE`, as `--reporter` takes them. Those with a file are left out of a run of selected vectors. */
  reporter: {
    flag: "--reporter <name[=file]>",
    kind: kind.REPORTER_SPECS,
    on: [...REPORTING, "compare"],
    help: `${REPORTERS.join(", ")}, or any reporter for node:test (a package, or a ./file); repeatable`,
    helpOf: { compare: "console, json or html; repeatable" },
    default: [],
    target: "reporters",
  },
  /** What is under test, a file or `NAME@sha256:HEX`, for the reporter `in-toto`. */
  subject: {
    flag: "--subject <file>",
    kind: kind.SUBJECT,
    on: ["run", "client", "replay", "merge", "report"],
    help: "with --reporter in-toto: what was under test, a file or NAME@sha256:HEX",
    target: true,
  },
  exitStatus: {
    flag: "--exit-status",
    kind: kind.SWITCH,
    on: ["report"],
    help: "end with the exit status of the run, not with 0",
    default: false,
  },
  check: {
    flag: "--check",
    kind: kind.SWITCH,
    on: ["golden"],
    help: "report differences, one line a file; the fixtures are replayed on an implementation other than the reference",
    default: false,
  },
  /** Whether reports show everything. */
  verbose: {
    flag: "--verbose",
    kind: kind.SWITCH,
    on: [...REPORTING, "compare", "golden"],
    help: "show everything: each choice, and each test that was skipped or failed alike",
    helpOf: {
      compare: "list every open point that is read differently",
      golden: "with --check: list every answer that differs as the contract allows",
    },
    default: false,
    target: true,
  },
  rules: {
    flag: "--rules",
    kind: kind.SWITCH,
    on: ["list"],
    help: "list the rules, with the number of vectors that test each",
    default: false,
  },
  points: {
    flag: "--points",
    kind: kind.SWITCH,
    on: ["list"],
    help: "list what the contract leaves open, with the reference's choice",
    default: false,
  },
  properties: {
    flag: "--properties",
    kind: kind.SWITCH,
    on: ["list"],
    help: "list the properties, with the number of cases in a usual run",
    default: false,
  },
  json: { flag: "--json", kind: kind.SWITCH, on: ["list"], help: "print JSON", default: false },
  language: {
    flag: "--language <name>",
    kind: kind.TEXT,
    on: ["init"],
    help: "language of the skeleton",
    choices: LANGUAGES,
    default: "typescript",
  },
  client: {
    flag: "--client",
    kind: kind.SWITCH,
    on: ["init"],
    help: "write a client: in typescript or python; other for the protocol",
    default: false,
  },
  list: {
    flag: "--list",
    kind: kind.SWITCH,
    on: ["init"],
    help: "list the languages, and what each needs",
    default: false,
  },
} as const satisfies Readonly<Record<string, OptionEntry>>;

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

type Takes<Name extends OptionName, Command extends CommandName> = Command extends Table[Name]["on"][number]
  ? true
  : false;
type IsSure<Name extends OptionName, Command extends CommandName> = Table[Name] extends
  | { readonly default: unknown }
  | { readonly requiredOn: Command }
  ? true
  : false;

/** The options of a command, once they are read. No command line states facts themselves. */
export type OptionsOf<Command extends CommandName> = {
  readonly [Name in OptionName as Takes<Name, Command> extends true
    ? IsSure<Name, Command> extends true
      ? Key<Name>
      : never
    : never]: Exclude<Value<Name>, kind.StatedFacts>;
} & {
  readonly [Name in OptionName as Takes<Name, Command> extends true
    ? IsSure<Name, Command> extends true
      ? never
      : Key<Name>
    : never]?: Exclude<Value<Name>, kind.StatedFacts>;
};

/** Options as programs state them, of those that have something in common. */
type Stated<Trait> = {
  readonly [Name in keyof Table as Table[Name] extends Trait ? Name : never]?: Given<Name>;
};

/** The options that `judge` takes besides a target. */
export type JudgeTableOptions = Stated<{ readonly api: true }>;
/** The options that `conformanceTests` takes besides a target. */
export type TestsTableOptions = Stated<{ readonly tests: true }>;
/** The options that go with `url`. */
export type UrlTableOptions = Stated<{ readonly needs: "url" }>;
/** The ways to reach an implementation. */
export type WayName = Extract<keyof Stated<{ readonly way: true }>, OptionName>;
/** The options of a target of a configuration file besides those that reach it. */
export type TargetTableOptions = {
  readonly [Name in keyof Table as Table[Name] extends { readonly way: true } | { readonly needs: "url" }
    ? never
    : Table[Name] extends { readonly target: infer Target }
      ? Target extends string
        ? Target
        : Name
      : never]?: Given<Name>;
};

/** All options, by their names in programs. */
export const ENTRIES = Object.entries<OptionEntry>(OPTIONS) as readonly (readonly [
  OptionName,
  OptionEntry,
])[];

function namesOf(isMeant: (entry: OptionEntry) => boolean): readonly OptionName[] {
  return ENTRIES.filter(([, entry]) => isMeant(entry)).map(([name]) => name);
}

/** Names of the options of which each is a way to reach an implementation. */
export const WAYS = namesOf(({ way }) => way === true) as readonly WayName[];
/** Names of the options that go with `--url` alone. */
export const URL_OPTIONS = namesOf(({ needs }) => needs === "url") as readonly (keyof UrlTableOptions)[];
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
