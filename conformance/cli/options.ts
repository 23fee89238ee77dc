/** The options of all commands: one table gives parsing, help, and errors. */
import { unknown } from "../contract/schema-check.ts";
import type { Shard } from "../run/plan.ts";

/** The command line is wrong. The message is one line: what is wrong, and what to do. */
export class UsageError extends Error {}

/** Commands, and what they do. */
const COMMANDS = {
  run: "test a service (default command)",
  client: "test a client",
  list: "list vectors, rules, or open points",
} as const;
export type Command = keyof typeof COMMANDS;

interface Option<Value> {
  readonly commands: readonly Command[];
  /** Heading in the help text. */
  readonly group: string;
  /** Placeholders of the values. The last one ends with `...` if several values may follow. Empty for a flag. */
  readonly values: string;
  readonly help: string;
  /** @throws {string} what the value must be */
  readonly read: (texts: readonly string[]) => Value;
  /** Options of which this one needs one. */
  readonly requires?: readonly string[];
  /** Options that cannot be combined with this one, and what to do. */
  readonly excludes?: readonly string[];
  /** Whether the command that repeats one vector has it, too. */
  readonly isRepeated?: boolean;
}

const option = <Value>(entry: Option<Value>): Option<Value> => entry;
const flag = () => true;
const text = ([value = ""]: readonly string[]) => value;
const texts = (values: readonly string[]) => values;

function positiveInteger([value = ""]: readonly string[]): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw "a positive integer";
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

/** Printers of reports. */
export const REPORTERS = ["console", "json"] as const;

export interface Reporter {
  readonly name: (typeof REPORTERS)[number];
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
const CLIENT = ["client"] as const;
/** Commands that test something. */
const TESTING = ["run", "client"] as const;
const SERVICE = { commands: RUN, group: "Service (give one)", isRepeated: true };
/** A service or a client. */
const PROGRAM = { commands: TESTING, group: "Service or client (give one)", isRepeated: true };
const WITH_URL = { commands: RUN, group: "With --url", isRepeated: true };
const SELECTION = { commands: TESTING, group: "Selection (gives no verdict)" };
const TIME = { commands: RUN, group: "Time", isRepeated: true };
const OUTPUT = { commands: TESTING, group: "Output" };

/** All options by name, in the order of the help text. */
export const OPTIONS = {
  module: option({
    ...PROGRAM,
    values: "<file>",
    help: "JavaScript or TypeScript file that exports createService, or launch for a client",
    read: text,
    excludes: ["command", "url", "reference"],
  }),
  command: option({
    ...PROGRAM,
    values: "<cmd>",
    help: "program that speaks the adapter protocol, or the client protocol, on stdio",
    read: text,
    excludes: ["url", "reference"],
  }),
  url: option({
    ...SERVICE,
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
    help: "environment variables to pass on, besides PATH, HOME, LANG, and TMPDIR",
    read: texts,
    requires: ["module", "command"],
  }),
  "control-url": option({
    ...WITH_URL,
    values: "<url>",
    help: "URL for adapter protocol messages: restarts and a test clock",
    read: url,
    requires: ["url"],
    excludes: ["facts", "metadata-hosts"],
  }),
  facts: option({
    ...WITH_URL,
    commands: TESTING,
    values: "<file>",
    help: "YAML or JSON file of facts",
    read: text,
    requires: ["url"],
  }),
  "metadata-hosts": option({
    ...WITH_URL,
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
    commands: [...TESTING, "list"],
    values: "<glob...>",
    help: "IDs of vectors",
    read: texts,
  }),
  failed: option({
    ...SELECTION,
    values: "<report>",
    help: "only the failures and errors of a JSON report",
    read: text,
  }),
  shard: option({ ...SELECTION, values: "<i/n>", help: "only part i of n", read: shard }),
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
    help: "seed of all keys, or random (default: 1; random for a server that cannot restart)",
    read: seed,
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
  reporter: option({
    ...OUTPUT,
    values: "<name[=file]...>",
    help: `${REPORTERS.join(" or ")}, to a file or standard output (default: console)`,
    read: reporters,
  }),
  verbose: option({
    ...OUTPUT,
    values: "",
    help: "show all failures, skipped tests, and behavior",
    read: flag,
    excludes: ["quiet"],
  }),
  quiet: option({ ...OUTPUT, values: "", help: "show only failures and the verdict", read: flag }),
  "no-color": option({ ...OUTPUT, values: "", help: "do not color the output", read: flag }),
  rules: option({
    commands: ["list"],
    group: "What to list (default: vectors)",
    values: "",
    help: "rules of the contract",
    read: flag,
    excludes: ["points", "only"],
  }),
  points: option({
    commands: ["list"],
    group: "What to list (default: vectors)",
    values: "",
    help: "open points of the contract",
    read: flag,
    excludes: ["only"],
  }),
  json: option({ commands: ["list"], group: "Output", values: "", help: "print JSON", read: flag }),
};

type Name = keyof typeof OPTIONS;
/** The given options, by name. */
export type Options = { readonly [One in Name]?: ReturnType<(typeof OPTIONS)[One]["read"]> };

/** A command with its options. */
export interface Invocation {
  readonly command: Command;
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
    throw new UsageError(unknown("command", first, Object.keys(COMMANDS)));
  const words = isCommand ? rest : args;
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const plain = words.slice(0, end);
  if (plain.includes("--help") || plain.includes("-h"))
    return { command: "help", ...(isCommand && { of: command }) };
  if (plain.includes("--version") || plain.includes("-V")) return { command: "version" };
  const given = readWords(command, words);
  checkCombinations(command, given);
  const values = [...given].map(([name, list]) => [name, readValue(name, list)]);
  return { command, options: Object.fromEntries(values) as Options, words: given };
}

function namesOf(command: Command): readonly Name[] {
  return (Object.keys(OPTIONS) as Name[]).filter((name) =>
    (OPTIONS[name].commands as readonly Command[]).includes(command),
  );
}

/** Returns the words of each given option. */
function readWords(command: Command, words: readonly string[]): ReadonlyMap<Name, readonly string[]> {
  const names = namesOf(command);
  const given = new Map<Name, string[]>();
  for (let index = 0; index < words.length; ) {
    const word = words[index++] ?? "";
    const [, long, inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (long === undefined) throw new UsageError(unexpected(word, command));
    const name = names.find((one) => one === long);
    if (name === undefined)
      throw new UsageError(
        unknown(
          "option",
          `--${long}`,
          names.map((one) => `--${one}`),
        ),
      );
    const { values } = OPTIONS[name];
    const isMany = values.endsWith("...>");
    if (given.has(name) && !isMany) throw new UsageError(`--${name} is given twice; give it once`);
    const list = inline === undefined ? [] : [inline];
    if (values === "" && list.length > 0) throw new UsageError(`--${name} takes no value, got ${inline}`);
    while (
      index < words.length &&
      list.length < (isMany ? Number.POSITIVE_INFINITY : values === "" ? 0 : 1)
    ) {
      const next = words[index] ?? "";
      if (next.startsWith("-")) break;
      list.push(next);
      index += 1;
    }
    if (values !== "" && list.length === 0)
      throw new UsageError(`--${name} requires a value: --${name} ${values}`);
    given.set(name, [...(given.get(name) ?? []), ...list]);
  }
  return given;
}

function unexpected(word: string, command: Command): string {
  const name =
    command === "list" ? "only" : URL.canParse(word) ? "url" : /\.[cm]?[jt]s$/.test(word) ? "module" : "only";
  return `unexpected argument ${word}; did you mean --${name} ${word}?`;
}

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

/** Returns the words of the given options that a command to repeat one vector has, too. */
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
    "  0 conforms, 1 does not conform, 2 usage or data error,",
    "  3 implementation error, 4 undecided",
  ];
  if (of === undefined) {
    const commands = Object.entries(COMMANDS).flatMap(([name, help]) => helpRow(name, help));
    return [`Usage: ${program} <command> [options]`, "", "Commands:", ...commands, "", ...general, ""].join(
      "\n",
    );
  }
  const groups = new Map<string, string[]>();
  for (const name of namesOf(of)) {
    const { group, values, help } = OPTIONS[name];
    const heading = of === "list" && name === "only" ? "Selection" : group;
    groups.set(heading, [...(groups.get(heading) ?? []), ...helpRow(`--${name} ${values}`.trim(), help)]);
  }
  const sections = [...groups].flatMap(([heading, rows]) => [`${heading}:`, ...rows, ""]);
  return [
    `Usage: ${program} ${of} [options]`,
    "",
    `${of}: ${COMMANDS[of]}`,
    "",
    ...sections,
    ...general,
    "",
  ].join("\n");
}

/** Formats a term and its explanation. */
function helpRow(term: string, help: string): readonly string[] {
  const lines: string[] = [];
  let line = `  ${term}`.padEnd(HELP_INDENT - 1);
  if (line.length >= HELP_INDENT) {
    lines.push(line);
    line = " ".repeat(HELP_INDENT - 1);
  }
  for (const word of help.split(" ")) {
    if (line.length + 1 + word.length > HELP_WIDTH) {
      lines.push(line);
      line = " ".repeat(HELP_INDENT - 1);
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
