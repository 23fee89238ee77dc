/** The options of all commands: one table gives parsing, help, and errors. */
import { unknown } from "../contract/schema-check.ts";
import { PRINTERS, type PrinterName } from "../report/printers.ts";
import type { Shard } from "../run/plan.ts";

/** The command line is wrong. The message is one line: what is wrong, and what to do. */
export class UsageError extends Error {}

interface CommandEntry {
  /** Heading in the help text of all commands. */
  readonly group: string;
  readonly help: string;
  /** Placeholders of the operands, in order: `<one>`, `[<optional>]`, or `<one...>` for one or more. */
  readonly operands: readonly string[];
  /** Exit statuses, in words. */
  readonly exitStatus: string;
}

const VERDICT =
  "0 conforms, 1 does not conform, 2 usage or data error, 3 implementation error, 4 undecided, 130 interrupted";
const FINDINGS = "0 nothing found, 1 something found, 2 usage or data error, 4 nothing to judge";
const DRIFT = "0 no drift, 1 drift, 2 usage or data error, 3 implementation error, 4 not all played";
const SERVED = "0 stopped, 2 usage error, 3 the port cannot be opened";
const DONE = "0 done, 2 usage or data error";

const command = (
  group: string,
  help: string,
  operands: readonly string[] = [],
  exitStatus = DONE,
): CommandEntry => ({ group, help, operands, exitStatus });

/** All commands by name, in the order of the help text. */
const COMMANDS = {
  run: command("Test", "test a service (default command)", [], VERDICT),
  replay: command("Test", "play the vectors of a file on a service", ["<file>"], VERDICT),
  client: command("Test", "test a client", [], VERDICT),
  audit: command("Test", "judge recorded traffic: HAR or JSON lines", ["<file...>"], FINDINGS),
  merge: command("Test", "join the JSON reports of all shards into one", ["<report...>"], VERDICT),
  list: command("Inspect", "list tests, rules, or open points"),
  explain: command("Inspect", "explain a rule, an open point, a vector, an error code, or a section", [
    "<id>",
  ]),
  report: command("Inspect", "print a JSON report again", ["<report>"]),
  compare: command("Inspect", "show what changed between two JSON reports", ["<report>", "<report>"]),
  init: command("Develop", "write a service to start with, a CI workflow, and a baseline", ["[<folder>]"]),
  serve: command("Develop", "serve the bundled reference over HTTP on this machine", [], SERVED),
  golden: command("Develop", "record or check the fixtures of all flows", ["[<folder>]"], DRIFT),
} as const;
export type Command = keyof typeof COMMANDS;

interface Option<Value> {
  readonly commands: readonly Command[];
  /** Heading in the help text. */
  readonly group: string;
  /** Placeholders of the values: `<one> <more...>` if several may follow, and empty for a flag. */
  readonly values: string;
  readonly help: string;
  /** @throws {string} what the value must be */
  readonly read: (texts: readonly string[]) => Value;
  /** Options that this one requires: at least one of them. */
  readonly requires?: readonly string[];
  /** Options that cannot be combined with this one, and what to do. */
  readonly excludes?: readonly string[];
  /** Whether the command that repeats one vector also has this option. */
  readonly isRepeated?: boolean;
  /** Whether the GitHub action has an input of this name. */
  readonly isActionInput?: boolean;
}

const option = <Value>(entry: Option<Value>): Option<Value> => entry;
const flag = () => true;
const text = ([value = ""]: readonly string[]) => value;
const texts = (values: readonly string[]) => values;

function positiveInteger([value = ""]: readonly string[]): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw "a positive integer";
  return Number(value);
}

function port([value = ""]: readonly string[]): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw "an integer from 0 to 65535";
  return Number(value);
}

function integer([value = ""]: readonly string[]): number {
  if (!/^\d{1,9}$/.test(value)) throw "an integer of 0 or more";
  return Number(value);
}

function seed([value = ""]: readonly string[]): number | "random" {
  if (value === "random") return value;
  if (!/^\d{1,10}$/.test(value)) throw 'an integer of 0 or more, or "random"';
  return Number(value);
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Returns a duration in ms. */
function duration([value = ""]: readonly string[]): number {
  const [, digits = "", unit = ""] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$|^0$/.exec(value) ?? [];
  if (value === "0") return 0;
  if (digits === "") throw "a duration such as 500ms, 5s, or 2m";
  return Math.round(Number(digits) * (UNITS_MS[unit] ?? 0));
}

function shard([value = ""]: readonly string[]): Shard {
  const [, index = "", count = ""] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(value) ?? [];
  if (index === "" || Number(index) > Number(count)) throw "I/N, such as 1/4, with I from 1 to N";
  return { index: Number(index), count: Number(count) };
}

function url([value = ""]: readonly string[]): string {
  const isHttp = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isHttp) throw "an http or https URL, such as http://127.0.0.1:8080";
  return value;
}

function hostPair(values: readonly string[]): readonly string[] {
  const hosts = values.flatMap((value) => value.split(",")).filter((host) => host !== "");
  if (hosts.length !== 2) throw "two host names";
  return hosts;
}

const LANGUAGES = ["typescript", "python", "go", "java"] as const;
export type Language = (typeof LANGUAGES)[number];

function language([value = ""]: readonly string[]): Language {
  const known = LANGUAGES.find((one) => one === value);
  if (known === undefined) throw `one of ${LANGUAGES.join(", ")}`;
  return known;
}

const REPORTERS = Object.keys(PRINTERS) as readonly PrinterName[];

export interface Reporter {
  readonly name: PrinterName;
  /** File to write (default: standard output). */
  readonly file?: string;
}

function reporters(values: readonly string[]): readonly Reporter[] {
  return values.map((value) => {
    const [, name = "", file] = /^([^=]*)(?:=(.+))?$/s.exec(value) ?? [];
    const known = REPORTERS.find((one) => one === name);
    if (known === undefined) throw `one of ${REPORTERS.join(", ")}, or NAME=FILE`;
    return { name: known, ...(file !== undefined && { file }) };
  });
}

const RUN = ["run"] as const;
/** Commands that play vectors on a service. */
const PLAYING = ["run", "replay"] as const;
/** Commands that test a service or a client. */
const TESTING = [...PLAYING, "client"] as const;
const CLIENT = ["client"] as const;
/** Commands that reach a service. */
const REACHING = [...PLAYING, "golden"] as const;
/** Commands that print a report. */
const REPORTING = [...TESTING, "merge", "report"] as const;
const SERVICE = { commands: REACHING, group: "Service (give one)", isRepeated: true };
/** A service or a client. */
const PROGRAM = {
  commands: [...REACHING, "client"],
  group: "Service or client (give one)",
  isRepeated: true,
} as const;
const WITH_URL = { commands: REACHING, group: "With --url", isRepeated: true };
const SELECTION = { commands: ["run", "client"], group: "Selection (gives no verdict)" } as const;
const TIME = { commands: REACHING, group: "Time", isRepeated: true };
const SERVER = { commands: ["serve"], group: "Server" } as const;
const POLICY = { commands: ["run", "client"], group: "Policy" } as const;
const OUTPUT = { commands: REPORTING, group: "Output" };

/** All options by name, in the order of the help text. */
export const OPTIONS = {
  check: option({
    commands: ["golden"],
    group: "What to do (default: record)",
    values: "",
    help: "compare a new recording with the fixtures",
    read: flag,
  }),
  module: option({
    ...PROGRAM,
    isActionInput: true,
    values: "<file>",
    help: "JavaScript or TypeScript file that exports createService, or launch for a client",
    read: text,
    excludes: ["command", "url", "reference"],
  }),
  command: option({
    ...PROGRAM,
    isActionInput: true,
    values: "<cmd>",
    help: "program that speaks the adapter protocol, or the client protocol, on stdio",
    read: text,
    excludes: ["url", "reference"],
  }),
  url: option({
    ...SERVICE,
    isActionInput: true,
    values: "<url>",
    help: "base URL of a running server",
    read: url,
    excludes: ["reference"],
  }),
  reference: option({ ...SERVICE, values: "", help: "the bundled reference", read: flag }),
  resident: option({
    commands: CLIENT,
    group: "With --command",
    isRepeated: true,
    values: "",
    help: "keep the program running for all tasks (default: run it once for each task)",
    read: flag,
    requires: ["command"],
  }),
  env: option({
    ...PROGRAM,
    group: "With --module or --command",
    values: "<name...>",
    help: "environment variables to pass on, in addition to PATH, HOME, LANG, and TMPDIR",
    read: texts,
    requires: ["module", "command"],
  }),
  "control-url": option({
    ...WITH_URL,
    isActionInput: true,
    values: "<url>",
    help: "URL for adapter protocol messages: restarts and a test clock",
    read: url,
    requires: ["url"],
    excludes: ["facts", "metadata-hosts"],
  }),
  "base-url": option({
    commands: ["audit"],
    group: "Recording",
    values: "<url>",
    help: "base URL of the service in a HAR file",
    read: url,
  }),
  facts: option({
    ...WITH_URL,
    commands: [...WITH_URL.commands, "client", "audit"],
    isActionInput: true,
    values: "<file>",
    help: "YAML or JSON file of facts",
    read: text,
    requires: ["url"],
  }),
  "metadata-hosts": option({
    ...WITH_URL,
    isActionInput: true,
    values: "<host> <host...>",
    help: "the two metadata gateway hosts",
    read: hostPair,
    requires: ["url"],
  }),
  "wait-for": option({
    ...WITH_URL,
    values: "<url>",
    help: "wait up to 60 s until this URL responds",
    read: url,
    requires: ["url"],
  }),
  only: option({
    ...SELECTION,
    isActionInput: true,
    commands: [...TESTING, "list"],
    values: "<glob...>",
    help: "IDs of vectors and properties",
    read: texts,
  }),
  failed: option({
    ...SELECTION,
    values: "<report>",
    help: "only the failures and errors of a JSON report",
    read: text,
  }),
  shard: option({
    ...SELECTION,
    isActionInput: true,
    values: "<i/n>",
    help: "only part i of n",
    read: shard,
  }),
  bail: option({
    commands: TESTING,
    group: "Run",
    values: "",
    help: "stop at the first failure or error",
    read: flag,
  }),
  seed: option({
    commands: TESTING,
    group: "Run",
    isRepeated: true,
    values: "<n>",
    help: "seed of keys and random cases, or random (default: 1; random for a server that cannot restart)",
    read: seed,
  }),
  runs: option({
    commands: RUN,
    group: "Run",
    isRepeated: true,
    values: "<n>",
    help: "random cases per property, about; 0 for none (default: 60)",
    read: integer,
  }),
  jobs: option({
    commands: TESTING,
    group: "Run",
    values: "<n>",
    help: "processes, or parallel requests to a URL (default: 1; 4 for a URL or a client program)",
    read: positiveInteger,
  }),
  timeout: option({
    ...TIME,
    commands: TESTING,
    values: "<duration>",
    help: "limit of a request, or of a launch of a client; 0 for none (default: 5s)",
    read: duration,
  }),
  "max-wait": option({
    ...TIME,
    values: "<duration>",
    help: "longest wait on a real clock (default: 90s)",
    read: duration,
  }),
  baseline: option({
    isActionInput: true,
    ...POLICY,
    values: "<file>",
    help: "known failures, each with a reason; stale and expired entries fail the run",
    read: text,
  }),
  "update-baseline": option({
    ...POLICY,
    values: "",
    help: "write all failures to the baseline",
    read: flag,
    requires: ["baseline"],
  }),
  choices: option({
    isActionInput: true,
    ...POLICY,
    values: "<report>",
    help: "JSON report whose observed behavior must not change",
    read: text,
  }),
  "allow-not-tested": option({
    ...POLICY,
    values: "<name...>",
    help: "IDs of rules, or capability:NAME, to accept as not tested",
    read: texts,
  }),
  reporter: option({
    ...OUTPUT,
    values: "<name[=file]...>",
    help: `${REPORTERS.join(", ")}; to a file or standard output (default: console)`,
    read: reporters,
  }),
  "save-failures": option({
    ...OUTPUT,
    values: "<dir>",
    help: "write the counterexample of each failed property as a vector",
    read: text,
  }),
  verbose: option({
    ...OUTPUT,
    commands: [...REPORTING, "compare", "golden"],
    values: "",
    help: "show everything, such as all failures, skipped tests, and behavior",
    read: flag,
    excludes: ["quiet"],
  }),
  quiet: option({
    ...OUTPUT,
    commands: PLAYING,
    values: "",
    help: "show only failures and the verdict",
    read: flag,
  }),
  language: option({
    commands: ["init"],
    group: "What to write",
    values: "<name>",
    help: `${LANGUAGES.join(", ")} (default: typescript)`,
    read: language,
  }),
  port: option({ ...SERVER, values: "<n>", help: "port; 0 for any free port (default: 0)", read: port }),
  host: option({
    ...SERVER,
    values: "<address>",
    help: "loopback address (default: 127.0.0.1)",
    read: text,
  }),
  control: option({
    ...SERVER,
    values: "",
    help: "serve the messages of the adapter protocol at /control, with a test clock",
    read: flag,
  }),
  capacity: option({
    ...SERVER,
    values: "<n>",
    help: "most challenges, sessions, and drafts (default: 20000; few with --control)",
    read: positiveInteger,
  }),
  "no-color": option({ ...OUTPUT, values: "", help: "do not color the output", read: flag }),
  clients: option({
    commands: ["list"],
    group: "What to list (default: tests of services)",
    values: "",
    help: "what the kit knows about clients",
    read: flag,
  }),
  rules: option({
    commands: ["list"],
    group: "What to list (default: tests of services)",
    values: "",
    help: "rules of the contract",
    read: flag,
    excludes: ["points", "only"],
  }),
  points: option({
    commands: ["list"],
    group: "What to list (default: tests of services)",
    values: "",
    help: "open points of the contract",
    read: flag,
    excludes: ["only"],
  }),
  json: option({
    commands: ["list", "compare"],
    group: "Output",
    values: "",
    help: "print JSON",
    read: flag,
  }),
};

type Name = keyof typeof OPTIONS;
/** The given options, by name. */
export type Options = { readonly [One in Name]?: ReturnType<(typeof OPTIONS)[One]["read"]> };

/** A command with its operands and options. */
export interface Invocation {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly options: Options;
  /** The words of each given option. */
  readonly words: ReadonlyMap<Name, readonly string[]>;
}

/** A command line, read. */
export type CommandLine =
  | Invocation
  | { readonly command: "help"; readonly of?: Command }
  | { readonly command: "version" };

/**
 * Reads a command line.
 * @throws {UsageError}
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first = "", ...rest] = args;
  const isCommand = Object.hasOwn(COMMANDS, first);
  const command = isCommand ? (first as Command) : "run";
  const isPlace = /[./:\\]/.test(first);
  if (!isCommand && !first.startsWith("-") && first !== "" && !isPlace)
    throw unknownWord("command", first, Object.keys(COMMANDS), "--help");
  const words = isCommand ? rest : args;
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const plain = words.slice(0, end);
  if (plain.includes("--help") || plain.includes("-h"))
    return { command: "help", ...(isCommand && { of: command }) };
  if (plain.includes("--version") || plain.includes("-V")) return { command: "version" };
  const { operands, given } = readWords(command, words);
  checkOperands(command, operands);
  checkCombinations(command, given);
  const values = [...given].map(([name, list]) => [name, readValue(name, list)]);
  return { command, operands, options: Object.fromEntries(values) as Options, words: given };
}

/** @param help words that print all known ones */
function unknownWord(kind: string, word: string, known: readonly string[], help: string): UsageError {
  const message = unknown(kind, word, known);
  return new UsageError(message.includes(";") ? message : `${message}; "${help}" lists all`);
}

function namesOf(command: Command): readonly Name[] {
  return (Object.keys(OPTIONS) as Name[]).filter((name) =>
    (OPTIONS[name].commands as readonly Command[]).includes(command),
  );
}

/** Returns the operands, and the words of each given option. All words after `--` are operands. */
function readWords(command: Command, words: readonly string[]) {
  const names = namesOf(command);
  const operands: string[] = [];
  const given = new Map<Name, string[]>();
  for (let index = 0; index < words.length; ) {
    const word = words[index++] ?? "";
    if (word === "--") {
      operands.push(...words.slice(index));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const [, long, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const name = names.find((one) => one === long);
    const shown = long === undefined ? word : `--${long}`;
    const known = names.map((one) => `--${one}`);
    if (name === undefined) throw unknownWord("option", shown, known, `${command} --help`);
    const { values } = OPTIONS[name];
    const isMany = values.endsWith("...>");
    if (given.has(name) && !isMany) throw new UsageError(`--${name} is given twice; give it once`);
    const list = inline === undefined ? [] : [inline];
    if (values === "" && list.length > 0) throw new UsageError(`--${name} takes no value, got ${inline}`);
    const max = isMany ? Number.POSITIVE_INFINITY : values === "" ? 0 : 1;
    for (; list.length < max && index < words.length && !words[index]?.startsWith("-"); index++)
      list.push(words[index] ?? "");
    if (values !== "" && list.length === 0)
      throw new UsageError(`--${name} requires a value: --${name} ${values}`);
    given.set(name, [...(given.get(name) ?? []), ...list]);
  }
  return { operands, given };
}

/** @throws {UsageError} if there are too few operands, or too many */
function checkOperands(command: Command, operands: readonly string[]): void {
  const { operands: wanted } = COMMANDS[command];
  const missing = wanted.filter((operand) => operand.startsWith("<"))[operands.length];
  if (missing !== undefined)
    throw new UsageError(`${command} requires ${missing}: ${command} ${wanted.join(" ")}`);
  const extra = operands[wanted.length];
  if (extra === undefined || wanted.at(-1)?.endsWith("...>")) return;
  const option = HINTS.find(([name, form]) => namesOf(command).includes(name) && form.test(extra))?.[0] ?? "";
  throw new UsageError(
    `unexpected argument ${extra}; ${option === "" ? "remove it" : `did you mean --${option} ${extra}?`}`,
  );
}

/** The option that an operand is probably a value of, by the form of the operand. */
const HINTS: readonly (readonly [Name, RegExp])[] = [
  ["url", /^\w+:\/\//],
  ["port", /^\d+$/],
  ["module", /\.[cm]?[jt]s$/],
  ["only", /./],
];

/** @throws {UsageError} if options cannot be combined, or need another */
function checkCombinations(command: Command, given: ReadonlyMap<Name, readonly string[]>): void {
  for (const name of given.keys()) {
    const { requires, excludes = [] }: Option<unknown> = OPTIONS[name];
    const excluded = excludes.find((other) => given.has(other as Name));
    if (excluded !== undefined)
      throw new UsageError(`--${name} and --${excluded} cannot be combined; give one`);
    const isRequired = requires?.some((other) => namesOf(command).includes(other as Name)) ?? false;
    if (requires !== undefined && isRequired && !requires.some((other) => given.has(other as Name))) {
      const needed = requires.map((other) => `--${other}`).join(" or ");
      const [first = ""] = requires;
      const { values }: Option<unknown> = OPTIONS[first as Name];
      throw new UsageError(`--${name} requires ${needed}; add --${first} ${values}`);
    }
  }
}

function readValue(name: Name, list: readonly string[]): unknown {
  try {
    return OPTIONS[name].read(list);
  } catch (expected) {
    if (typeof expected !== "string") throw expected;
    throw new UsageError(`--${name} must be ${expected}, got ${list.join(" ")}`);
  }
}

/** Returns the words of the given options that the command to repeat one vector also has. */
export function repeatedWords(given: ReadonlyMap<Name, readonly string[]>): readonly string[] {
  return [...given].flatMap(([name, list]) => {
    const { isRepeated = false }: Option<unknown> = OPTIONS[name];
    return isRepeated ? [`--${name}`, ...list] : [];
  });
}

/** Width of help texts, in columns. */
const HELP_WIDTH = 80;
const HELP_INDENT = 30;

/** Returns the help text of a command, or of all commands. */
export function helpText(program: string, of?: Command): string {
  const general = [
    "Options:",
    ...helpRow("-V, --version", "print the version"),
    ...helpRow("-h, --help", "print help"),
    "",
    "Exit status:",
    ...wrap("  ", COMMANDS[of ?? "run"].exitStatus, "  "),
  ];
  if (of === undefined) {
    const groups = new Map<string, string[]>();
    for (const [name, { group, help, operands }] of Object.entries(COMMANDS))
      groups.set(group, [...(groups.get(group) ?? []), ...helpRow([name, ...operands].join(" "), help)]);
    return [`Usage: ${program} <command> [options]`, "", ...sectionsOf(groups), ...general, ""].join("\n");
  }
  const { operands, help: purpose } = COMMANDS[of];
  const groups = new Map<string, string[]>();
  for (const name of namesOf(of)) {
    const { group, values, help } = OPTIONS[name];
    const heading = of !== "run" && name === "only" ? "Selection" : group;
    groups.set(heading, [...(groups.get(heading) ?? []), ...helpRow(`--${name} ${values}`.trim(), help)]);
  }
  return [
    ["Usage:", program, of, ...operands, "[options]"].join(" "),
    "",
    `${of}: ${purpose}`,
    "",
    ...sectionsOf(groups),
    ...general,
    "",
  ].join("\n");
}

function sectionsOf(groups: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...groups].flatMap(([heading, rows]) => [`${heading}:`, ...rows, ""]);
}

/** Formats a term and its explanation. */
function helpRow(term: string, help: string): readonly string[] {
  const indent = " ".repeat(HELP_INDENT);
  const start = `  ${term} `.padEnd(HELP_INDENT);
  return start.length > HELP_INDENT
    ? [start.trimEnd(), ...wrap(indent, help, indent)]
    : wrap(start, help, indent);
}

/** Wraps words after the start of a line. Further lines have an indent. */
function wrap(start: string, words: string, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = start.slice(0, -1);
  for (const word of words.split(" ")) {
    if (line.length + 1 + word.length > HELP_WIDTH) {
      lines.push(line);
      line = indent.slice(0, -1);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
