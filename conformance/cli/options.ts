/** The options of all commands, as tables that define parsing, help, and error messages. */

import { unknown } from "../data/schema-check.ts";
import { wrap } from "../data/text.ts";
import { REPORTERS } from "../report/reporters.ts";
import type { Selection } from "../run/plan.ts";

/** The command line is wrong. The message is one line: what is wrong, and what to do. */
export class UsageError extends Error {}

type Words = readonly string[];

function text([value = ""]: Words): string {
  if (value === "") throw "a name";
  return value;
}

function commandLine([value = ""]: Words): string {
  if (value.trim() === "") throw 'a command, such as "python3 service.py"';
  return value;
}
const texts = (values: Words) => values;

/** Returns a function that reads an integer. @param expected description of valid integers */
function integer(least: number, most: number, expected: string) {
  return ([value = ""]: Words) => {
    const isValid = /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most;
    if (!isValid) throw expected;
    return Number(value);
  };
}

const seedNumber = integer(0, 9_999_999_999, 'an integer of 0 or more, or "random"');
const seed = (values: Words) => (values[0] === "random" ? "random" : seedNumber(values));

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** Maximum duration: 35,000 minutes. A timer accepts a delay of less than 2^31 ms. */
const MAX_DELAY_MS = 35_000 * 60_000;

/** Returns a duration in ms. */
function duration([value = ""]: Words): number {
  const [, digits = "", unit = ""] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$|^0$/.exec(value) ?? [];
  if (value === "0") return 0;
  const ms = Math.round(Number(digits) * (UNITS_MS[unit] ?? 0));
  if (digits === "") throw "a duration such as 500ms, 5s, or 2m";
  if (ms > MAX_DELAY_MS) throw "at most 35000m";
  return ms;
}

function shard([value = ""]: Words): Selection["shard"] {
  const [, index = "", count = ""] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(value) ?? [];
  if (index === "" || Number(index) > Number(count)) throw "I/N, such as 1/4, with I from 1 to N";
  return { index: Number(index), count: Number(count) };
}

function url([value = ""]: Words): string {
  const isHttp = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  if (!isHttp) throw "an http or https URL, such as http://127.0.0.1:8080";
  return value;
}

function hostPair(values: Words): Words {
  const hosts = values.flatMap((value) => value.split(",")).filter((host) => host !== "");
  if (hosts.length !== 2) throw "two host names";
  return hosts;
}

/** Returns a function that reads one of several words. @param expected description of valid words */
function oneOf<Word extends string>(known: readonly Word[], expected = `one of ${known.join(", ")}`) {
  return ([value]: Words): Word => {
    const found = known.find((word) => word === value);
    if (found === undefined) throw expected;
    return found;
  };
}

const LANGUAGES = ["typescript", "python", "go", "java"] as const;
export type Language = (typeof LANGUAGES)[number];

const reporterName = oneOf(REPORTERS, `one of ${REPORTERS.join(", ")}, or NAME=FILE`);

function reporters(values: Words) {
  return values.map((value) => {
    const [, name = "", file] = /^([^=]*)(?:=(.+))?$/s.exec(value) ?? [];
    return { name: reporterName([name]), file };
  });
}

/** A reporter, and the file that it writes (default: standard output). */
export type Reporter = ReturnType<typeof reporters>[number];

/** Maximum of `--jobs`. Each job can be a thread, which loads the kit. */
const MAX_JOBS = 64;

/** Functions that read option values, by placeholder. Each throws a text that says what the value must be. */
const READERS = {
  "": () => true,
  "<cmd>": commandLine,
  "<count>": integer(0, 999_999_999, "an integer of 0 or more"),
  "<dir>": text,
  "<duration>": duration,
  "<file>": text,
  "<format>": text,
  "<glob...>": texts,
  "<host> <host...>": hostPair,
  "<i/n>": shard,
  "<jobs>": integer(1, MAX_JOBS, `an integer from 1 to ${MAX_JOBS}`),
  "<language>": oneOf(LANGUAGES),
  "<n>": integer(1, 999_999_999, "a positive integer"),
  "<name...>": texts,
  "<name[=file]...>": reporters,
  "<port>": integer(0, 65_535, "an integer from 0 to 65535"),
  "<report>": text,
  "<seed>": seed,
  "<url>": url,
} as const;

/** All options: the placeholder of the value, empty for a flag, and the help text. */
export const OPTIONS = {
  "allow-not-tested": ["<name...>", "accept as not tested: rule IDs, or all rules that need capability:NAME"],
  bail: ["", "stop at the first new failure, violation, or error"],
  "base-url": ["<url>", "base URL of the service in a HAR file"],
  baseline: ["<file>", "file of known failures; an entry that is fixed or has expired fails the run"],
  capacity: ["<n>", "maximum number of entries in each store (default: 20000; 64 to 256 with --control)"],
  check: ["", "compare a new recording with the fixtures"],
  choices: ["<report>", "earlier JSON report; a change of the observed behavior fails the run"],
  clients: ["", "tests, rules, or open points of clients"],
  command: ["<cmd>", "program that speaks the adapter protocol on stdio"],
  control: ["", "accept messages of the adapter protocol at /control, and use a test clock"],
  "control-url": ["<url>", "URL for adapter protocol messages, which restart the service and move its clock"],
  env: ["<name...>", "environment variables to pass on, in addition to PATH, HOME, LANG, and TMPDIR"],
  facts: ["<file>", "YAML or JSON file that states facts, such as metadataHosts"],
  "fail-on-new": ["", "fail if a rule is violated, or a test fails, only in the later report"],
  failed: [
    "<report>",
    "only tests that failed or ended in an error in this JSON report, and those that their failures follow from",
  ],
  jobs: ["<jobs>", "threads, or parallel requests to a URL (default: 1 per core, at most 4; 4 for a URL)"],
  force: ["", "test a server even if its response to GET /v1/platform is not one of the service"],
  json: ["", "print JSON"],
  language: ["<language>", `${LANGUAGES.join(", ")} (default: typescript)`],
  map: ["<format>", "format of a log, such as caddy or nginx, or a file that describes it"],
  "max-duration": ["<duration>", "end the run after this time; 0 for no limit (default: 120m)"],
  "max-wait": ["<duration>", "skip tests that need a longer wait on a real clock (default: 90s)"],
  "metadata-hosts": ["<host> <host...>", "the two metadata gateway hosts"],
  module: ["<file>", "JavaScript or TypeScript file that exports createService"],
  "no-color": ["", "do not color the output"],
  only: ["<glob...>", "IDs of vectors and properties"],
  points: ["", "open points of the contract"],
  port: ["<port>", "port; 0 for any free port (default: 0)"],
  quiet: ["", "show only failures and the verdict"],
  reference: ["", "the bundled reference"],
  reporter: ["<name[=file]...>", `${REPORTERS.join(", ")}; to a file or standard output (default: console)`],
  resident: ["", "keep the program running for all tasks (default: run it once for each task)"],
  rules: ["", "rules of the contract"],
  runs: ["<count>", "approximate number of random cases per property; 0 for none (default: 50)"],
  "save-failures": ["<dir>", "write the counterexample of each failed property as a vector"],
  seed: [
    "<seed>",
    'seed of keys and random cases, or "random" (default: 1; "random" for a server that cannot restart)',
  ],
  shard: ["<i/n>", "only part i of the n parts of the tests"],
  timeout: ["<duration>", "time limit of a request; 0 for none (default: 5s)"],
  "update-baseline": ["", "write all failures to the baseline"],
  url: ["<url>", "base URL of a running server"],
  verbose: ["", "show everything, such as all failures, skipped tests, and observed behavior"],
  "wait-for": ["<url>", "wait up to 60 s until this URL responds"],
} as const satisfies Readonly<Record<string, readonly [keyof typeof READERS, string]>>;

type Name = keyof typeof OPTIONS;
/** The given options, by name. */
export type Options = { readonly [One in Name]?: ReturnType<(typeof READERS)[(typeof OPTIONS)[One][0]]> };

/** Options that exclude each other: at most one of each list can be given. */
const EXCLUSIVE: readonly (readonly Name[])[] = [
  ["module", "command", "url", "reference"],
  ["control-url", "facts"],
  ["control-url", "metadata-hosts"],
  ["verbose", "quiet"],
  ["rules", "points", "only"],
];

/** For an option, the options that it requires: at least one must be given, unless the command has none. */
const REQUIRED: { readonly [One in Name]?: readonly Name[] } = {
  env: ["module", "command"],
  resident: ["command"],
  "control-url": ["url"],
  facts: ["url"],
  "metadata-hosts": ["url"],
  "wait-for": ["url"],
  force: ["url"],
  "update-baseline": ["baseline"],
};

/** Options that are copied to the command that repeats one vector. */
const REPEATED: ReadonlySet<Name> = new Set([
  ...(["module", "command", "url", "reference", "resident", "env", "control-url", "facts"] as const),
  ...([
    "metadata-hosts",
    "wait-for",
    "force",
    "seed",
    "runs",
    "timeout",
    "max-wait",
    "max-duration",
  ] as const),
]);

/** Help texts, by the name of the option. */
type HelpTexts = { readonly [One in Name]?: string };
/** Names of options, by the heading in the help text. */
type OptionGroups = Readonly<Record<string, readonly Name[]>>;

const VERDICT =
  "0 conforms, 1 does not conform, 2 usage or data error, 3 implementation error, 4 undecided, 130 interrupted";
const FINDINGS =
  "0 no violation found, 1 violation found, 2 usage or data error, 4 too few exchanges are decided";
const DRIFT =
  "0 no drift, 1 drift, 2 usage or data error, 3 implementation error, 4 some fixtures were not played";
const COMPARED =
  "0 done, 2 usage or data error; with --fail-on-new: 1 new failure, 4 a rule is not tested now";
const SERVED = "0 stopped, 2 usage error, 3 the port cannot be opened";
const DONE = "0 done, 2 usage or data error";

const SERVICE: OptionGroups = {
  "Service (give one)": ["module", "command", "url", "reference"],
  "With --module or --command": ["env"],
  "With --url": ["control-url", "facts", "metadata-hosts", "wait-for", "force"],
};
const CLIENT: OptionGroups = {
  "Client (give one)": ["module", "command"],
  "With --command": ["resident", "facts"],
  "With --module or --command": ["env"],
};
/** Help texts of options that mean something else for a client. */
const CLIENT_HELP: HelpTexts = {
  module: "JavaScript or TypeScript file that exports launch",
  command: "program that speaks the client protocol on stdio",
  facts: "YAML or JSON file that states facts, such as signedBytes",
  only: "IDs of vectors",
  seed: 'seed of all keys, or "random" (default: 1)',
  jobs: "trials to play at the same time (default: 4 for a program without --resident, otherwise 1)",
  timeout: "time limit of a launch; 0 for none (default: 5s)",
};
const SELECTION: OptionGroups = { "Selection (gives no verdict)": ["only", "failed", "shard"] };
const POLICY: OptionGroups = { Policy: ["baseline", "update-baseline", "choices", "allow-not-tested"] };
const PRINTED = ["reporter", "verbose", "no-color"] as const;

/**
 * @param group heading in the help text of all commands
 * @param operands placeholders, in order: `<one>`, `[<optional>]`, or `<one...>` for one or more
 * @param exit exit statuses, in words
 * @param texts help texts of options that replace the usual ones
 */
function command(
  group: string,
  help: string,
  operands: Words,
  exit: string,
  options: OptionGroups = {},
  texts: HelpTexts = {},
) {
  return { group, help, operands, exit, options, texts };
}

/** All commands by name, in the order of the help text. */
const COMMANDS = {
  run: command("Test", "test a service (default command)", [], VERDICT, {
    ...SERVICE,
    ...SELECTION,
    Run: ["bail", "seed", "runs", "jobs", "timeout", "max-wait", "max-duration"],
    ...POLICY,
    Output: [...PRINTED, "save-failures", "quiet"],
  }),
  replay: command("Test", "play the vectors of a file on a service", ["<file>"], VERDICT, {
    ...SERVICE,
    Selection: ["only"],
    Run: ["bail", "seed", "jobs", "timeout", "max-wait", "max-duration"],
    Output: [...PRINTED, "quiet"],
  }),
  client: command(
    "Test",
    "test a client",
    [],
    VERDICT,
    {
      ...CLIENT,
      ...SELECTION,
      Run: ["bail", "seed", "jobs", "timeout", "max-duration"],
      ...POLICY,
      Output: PRINTED,
    },
    CLIENT_HELP,
  ),
  audit: command(
    "Test",
    "judge recorded traffic: HAR files, JSON lines, and logs of servers",
    ["<file...>"],
    FINDINGS,
    {
      Recording: ["base-url", "facts", "map"],
      Policy: ["baseline", "update-baseline"],
      Output: PRINTED,
    },
  ),
  merge: command("Test", "join the JSON reports of all shards into one", ["<report...>"], VERDICT, {
    Output: PRINTED,
  }),
  list: command("Inspect", "list tests, rules, or open points", [], DONE, {
    "What to list (default: tests of services)": ["clients", "rules", "points", "only"],
    Output: ["json"],
  }),
  explain: command(
    "Inspect",
    "explain a rule, an open point, a vector, an error code, or a section",
    ["<id>"],
    DONE,
  ),
  report: command("Inspect", "print a JSON report in other formats", ["<report>"], DONE, { Output: PRINTED }),
  compare: command(
    "Inspect",
    "show what changed between two JSON reports",
    ["<report>", "<report>"],
    COMPARED,
    { Policy: ["fail-on-new"], Output: PRINTED },
  ),
  init: command(
    "Develop",
    "write a skeleton of a service, a CI workflow, and a baseline",
    ["[<folder>]"],
    DONE,
    { "What to write": ["language"] },
  ),
  serve: command("Develop", "serve the bundled reference over HTTP on this machine", [], SERVED, {
    Server: ["port", "control", "capacity"],
  }),
  golden: command("Develop", "record or check fixtures of requests and responses", ["[<folder>]"], DRIFT, {
    "What to do (default: record)": ["check"],
    ...SERVICE,
    Output: ["verbose"],
  }),
} as const;
export type Command = keyof typeof COMMANDS;

/** A command with its operands and options. */
export interface Invocation {
  readonly command: Command;
  readonly operands: Words;
  readonly options: Options;
  /** The raw values of each given option. */
  readonly words: ReadonlyMap<Name, Words>;
}

/** A parsed command line. */
export type CommandLine =
  | Invocation
  | { readonly command: "help"; readonly of?: Command }
  | { readonly command: "version" };

/** Reads a command line. @throws {UsageError} */
export function readCommandLine(args: Words): CommandLine {
  const [first = "", ...rest] = args;
  if (first === "help") return readCommandLine([...rest.slice(0, 1), "--help"]);
  const isCommand = Object.hasOwn(COMMANDS, first);
  const command = isCommand ? (first as Command) : "run";
  if (!isCommand && /^(?!-)[^./:\\]+$/.test(first))
    throw unknownWord("command", first, Object.keys(COMMANDS), "--help");
  const words = isCommand ? rest : args;
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const plain = words.slice(0, end);
  if (plain.includes("--help") || plain.includes("-h"))
    return { command: "help", ...(isCommand && { of: command }) };
  if (plain.includes("--version") || plain.includes("-V")) return { command: "version" };
  const { operands, given } = readWords(command, plain, words.slice(end + 1));
  checkOperands(command, operands);
  checkCombinations(command, given);
  const values = [...given].map(([name, list]) => [name, readValue(name, list)]);
  return { command, operands, options: Object.fromEntries(values) as Options, words: given };
}

/** @param help arguments that print all known words */
function unknownWord(kind: string, word: string, known: Words, help: string): UsageError {
  const message = unknown(kind, word, known);
  return new UsageError(message.includes(";") ? message : `${message}; "${help}" lists all`);
}

function namesOf(command: Command): readonly Name[] {
  return Object.values(COMMANDS[command].options).flat();
}

/** Returns the operands, and the raw values of each given option. @param rest the words after `--` */
function readWords(command: Command, words: Words, rest: Words) {
  const names = namesOf(command);
  const operands: string[] = [];
  const given = new Map<Name, string[]>();
  for (let index = 0; index < words.length; ) {
    const word = words[index++] ?? "";
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    const [option = "", inline] = word.split(/=(.*)/s);
    const name = names.find((one) => `--${one}` === option);
    const known = names.map((one) => `--${one}`);
    if (name === undefined) throw unknownWord("option", option, known, `${command} --help`);
    const [values] = OPTIONS[name];
    const isMany = values.endsWith("...>");
    if (given.has(name) && !isMany) throw new UsageError(`--${name} is given twice; give it once`);
    const list = inline === undefined ? [] : [inline];
    if (values === "" && list.length > 0) throw new UsageError(`--${name} takes no value, got ${inline}`);
    const max = isMany ? Number.POSITIVE_INFINITY : values === "" ? 0 : 1;
    // A negative number counts as a value, so that the error message is about the value.
    for (; list.length < max && index < words.length && !/^-(?!\d)/.test(words[index] ?? ""); index++)
      list.push(words[index] ?? "");
    if (values !== "" && list.length === 0)
      throw new UsageError(`--${name} requires a value: --${name} ${values}`);
    given.set(name, [...(given.get(name) ?? []), ...list]);
  }
  return { operands: [...operands, ...rest], given };
}

/** @throws {UsageError} if there are too few operands, or too many */
function checkOperands(command: Command, operands: Words): void {
  const { operands: wanted } = COMMANDS[command];
  const missing = wanted.filter((operand) => operand.startsWith("<"))[operands.length];
  if (missing !== undefined || operands.includes(""))
    throw new UsageError(`${command} requires ${missing ?? wanted[0]}: ${command} ${wanted.join(" ")}`);
  const extra = operands[wanted.length];
  if (extra === undefined || wanted.at(-1)?.endsWith("...>")) return;
  const [option] = HINTS.find(([name, form]) => namesOf(command).includes(name) && form.test(extra)) ?? [];
  const advice = option === undefined ? "remove it" : `did you mean --${option} ${extra}?`;
  throw new UsageError(`unexpected argument ${extra}; ${advice}`);
}

/** Options to suggest for an unexpected operand, by the form of the operand. */
const HINTS: readonly (readonly [Name, RegExp])[] = [
  ["url", /^\w+:\/\//],
  ["port", /^\d+$/],
  ["module", /\.[cm]?[jt]s$/],
  ["only", /./],
];

/** @throws {UsageError} if options cannot be combined, or a required option is missing */
function checkCombinations(command: Command, given: ReadonlyMap<Name, Words>): void {
  for (const names of EXCLUSIVE) {
    const [one, other] = names.filter((name) => given.has(name));
    if (other !== undefined) throw new UsageError(`--${one} and --${other} cannot be combined; give one`);
  }
  const known = namesOf(command);
  for (const name of given.keys()) {
    const required = REQUIRED[name]?.filter((other) => known.includes(other)) ?? [];
    const [first] = required;
    if (first === undefined || required.some((other) => given.has(other))) continue;
    const needed = required.map((other) => `--${other}`).join(" or ");
    throw new UsageError(`--${name} requires ${needed}; add --${first} ${OPTIONS[first][0]}`);
  }
}

function readValue(name: Name, list: Words): unknown {
  try {
    return READERS[OPTIONS[name][0]](list);
  } catch (expected) {
    if (typeof expected !== "string") throw expected;
    throw new UsageError(`--${name} must be ${expected}, got ${list.join(" ").trim() || "an empty text"}`);
  }
}

/** Returns the words of the given options for the command that repeats one vector. */
export function repeatedWords(given: ReadonlyMap<Name, Words>): Words {
  return [...given].flatMap(([name, list]) => (REPEATED.has(name) ? [`--${name}`, ...list] : []));
}

/** Width of help texts, and of the terms in them, in columns. */
const HELP_WIDTH = 80;
const TERM_WIDTH = 30;

/** Returns the help text of a command, or of all commands. */
export function helpText(program: string, of?: Command): string {
  const { operands, help, exit, options, texts } = COMMANDS[of ?? "run"];
  const usage = of === undefined ? ["<command>"] : [of, ...operands];
  return [
    ["Usage:", program, ...usage, "[options]"].join(" "),
    "",
    ...(of === undefined ? commandSections() : [`${of}: ${help}`, "", ...optionSections(options, texts)]),
    "Options:",
    ...helpRow("-V, --version", "print the version"),
    ...helpRow("-h, --help", "print help"),
    "",
    "Exit status:",
    ...wrap(`${exit}, 70 internal error`, HELP_WIDTH - 2).map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function commandSections(): Words {
  const commands = Object.entries(COMMANDS);
  return [...new Set(commands.map(([, { group }]) => group))].flatMap((heading) => [
    `${heading}:`,
    ...commands.flatMap(([name, { group, operands, help }]) =>
      group === heading ? helpRow([name, ...operands].join(" "), help) : [],
    ),
    "",
  ]);
}

function optionSections(groups: OptionGroups, texts: HelpTexts): Words {
  return Object.entries(groups).flatMap(([heading, names]) => [
    `${heading}:`,
    ...names.flatMap((name) =>
      helpRow(`--${name} ${OPTIONS[name][0]}`.trim(), texts[name] ?? OPTIONS[name][1]),
    ),
    "",
  ]);
}

/** Formats a term and its explanation. */
function helpRow(term: string, help: string): Words {
  const start = `  ${term} `.padEnd(TERM_WIDTH);
  const lines = wrap(help, HELP_WIDTH - TERM_WIDTH);
  const rows = lines.map((line) => " ".repeat(TERM_WIDTH) + line);
  return start.length > TERM_WIDTH ? [start.trimEnd(), ...rows] : [start + lines[0], ...rows.slice(1)];
}
