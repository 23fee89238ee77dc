/** Kinds of option values. Each is read once here for the command line, for `judge` and for configuration files. */
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { Facts } from "../adapters/adapter.ts";
import { oneLine, shown } from "../adapters/one-line.ts";
import { isObject } from "../engine/play/exchange.ts";
import { parseShard, type Shard } from "../engine/run/shard.ts";
import { parseDuration } from "../engine/vectors/duration.ts";
import { UsageError } from "./usage-error.ts";

/** Facts as an implementation states them (adapter protocol, "facts"): what is left out has its default. */
export type StatedFacts = Pick<Facts, "metadataHosts"> &
  Partial<Omit<Facts, "metadataHosts">> & { readonly [own: `x-${string}`]: unknown };

/** Gives a path of a configuration file as it is from the working directory. */
export type Move = (path: string) => string;

/**
 * How values of one kind are read. `Value` is what the kit works with, `Given` what a program or a configuration file
 * may state.
 */
export interface ValueKind<Value, Given = Value> {
  /** What a value must be. */
  readonly expected: string;
  /** Reads one word of a command line, which is not empty; undefined for a wrong one. A switch takes no word. */
  readonly read?: (word: string) => unknown;
  /** Reads what a program or a configuration file states; undefined for a wrong value. */
  accept(given: unknown): Value | undefined;
  /** JSON Schema of what a configuration file states. */
  readonly schema: object;
  /** The value with its paths counted from the working directory, where it holds any. */
  moved?(value: Value, move: Move): Value;
  /** Carries a type alone. */
  readonly given?: Given;
}

/**
 * Reads one word of a command line.
 * @param flag the option as the user wrote it: `--jobs`
 * @throws {UsageError} "--jobs must be a positive integer, got 0"
 */
export function readWord(
  { read, expected }: ValueKind<unknown, unknown>,
  word: string,
  flag: string,
): unknown {
  if (word.trim() === "") throw new UsageError(`${flag} must not be empty`);
  const value = read === undefined ? word : read(word);
  if (value === undefined) throw new UsageError(`${flag} must be ${expected}, got ${oneLine(word, 80)}`);
  return value;
}

/**
 * Reads what a program or a configuration file states.
 * @param name what the message calls it
 * @throws {UsageError} 'timeout must be a duration …, got "soon"'
 */
export function readGiven<Value>(
  kind: Pick<ValueKind<Value, unknown>, "accept" | "expected">,
  given: unknown,
  name: string,
): Value {
  const value = kind.accept(given);
  if (value === undefined) throw new UsageError(`${name} must be ${kind.expected}, got ${shown(given)}`);
  return value;
}

const SOME_TEXT = { type: "string", minLength: 1 };

function textKind<Value>(
  expected: string,
  read: (word: string) => Value | undefined,
  schema: object = SOME_TEXT,
): ValueKind<Value, string> {
  const accept = (given: unknown) =>
    typeof given === "string" && given.trim() !== "" ? read(given) : undefined;
  return { expected, read, accept, schema };
}

function integers(expected: string, minimum: number, maximum: number): ValueKind<number> {
  const isFitting = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  return {
    expected,
    read: (word: string) => (/^\d{1,9}$/.test(word) && isFitting(Number(word)) ? Number(word) : undefined),
    accept: (given: unknown) => (isFitting(given) ? Number(given) : undefined),
    schema: { type: "integer", minimum, maximum },
  };
}

/** A switch, which takes no value. */
export const SWITCH: ValueKind<boolean> = {
  expected: "true or false",
  accept: (given) => (typeof given === "boolean" ? given : undefined),
  schema: { type: "boolean" },
};

/** Any text. */
export const TEXT: ValueKind<string> = textKind("a non-empty string", String);

/** The path of a file or a folder. */
export const PATH: ValueKind<string> = { ...TEXT, moved: (path, move) => move(path) };

/** The path of a module; programs may name it by its URL as well. */
export const MODULE: ValueKind<string, string | URL> = {
  ...PATH,
  expected: "a path or a file: URL",
  accept(given) {
    const isUrl = given instanceof URL || (typeof given === "string" && /^[a-z]+:\/\//.test(given));
    if (!isUrl) return TEXT.accept(given);
    return String(given).startsWith("file:") ? fileURLToPath(given) : undefined;
  },
};

const TEXT_LIST = { type: "array", items: SOME_TEXT };
const isTexts = (given: unknown): given is readonly string[] =>
  Array.isArray(given) && given.every((one) => TEXT.accept(one) !== undefined);

/** Several texts. */
export const TEXTS: ValueKind<readonly string[]> = {
  expected: "a list of non-empty strings",
  accept: (given) => (isTexts(given) ? given : undefined),
  schema: TEXT_LIST,
};

/** Globs over files. */
export const FILE_GLOBS: ValueKind<readonly string[]> = {
  ...TEXTS,
  moved: (globs, move) => globs.map(move),
};

/** Reporters, each `NAME` or `NAME=FILE`, where the name may be the path of a module. */
export const REPORTER_SPECS: ValueKind<readonly string[]> = {
  ...TEXTS,
  moved: (specs, move) =>
    specs.map((spec) => {
      const [name = "", ...rest] = spec.split("=");
      const file = rest.join("=");
      const path = /^\.{1,2}\//.test(name) ? move(name) : name;
      const own = path === name || path.startsWith(".") || isAbsolute(path) ? path : `./${path}`;
      return rest.length === 0 ? own : `${own}=${file === "-" || file === "" ? file : move(file)}`;
    }),
};

/** The two metadata gateway hosts. */
export const HOSTS: ValueKind<readonly string[], readonly [string, string]> = {
  expected: "a list of two host names",
  accept: (given) => (isTexts(given) && given.length === 2 ? given : undefined),
  schema: { ...TEXT_LIST, minItems: 2, maxItems: 2 },
};

/** Facts of the adapter protocol: a file that holds them, or the facts themselves where no command line states them. */
export const FACTS: ValueKind<string | StatedFacts> = {
  expected: "a path or an object",
  accept: (given) => (isObject(given) ? (given as StatedFacts) : TEXT.accept(given)),
  schema: { anyOf: [SOME_TEXT, { type: "object" }] },
  moved: (facts, move) => (typeof facts === "string" ? move(facts) : facts),
};

/** A text that may be left out: an option without it is `true`. */
export const OPTIONAL_TEXT: ValueKind<string | true> = {
  ...TEXT,
  accept: (given) => (given === true ? given : TEXT.accept(given)),
};

/** A number of things, perhaps none. */
export const COUNT = integers("a non-negative integer", 0, 999_999_999);
/** A number of things, at least one. */
export const POSITIVE = integers("a positive integer", 1, 999_999_999);
/** The length of the sequences of an exhaustive search; 0 for none. */
export const DEPTH = integers("an integer from 0 to 9", 0, 9);
/** A TCP port; 0 for any free one. */
export const PORT = integers("an integer from 0 to 65535", 0, 65_535);

/** The seed of a run; `random` for one that is drawn. */
export const SEED: ValueKind<number | "random"> = {
  expected: "a non-negative integer or `random`",
  read: (word) => (word === "random" ? word : COUNT.read?.(word)),
  accept: (given) => (given === "random" ? given : COUNT.accept(given)),
  schema: { anyOf: [COUNT.schema, { const: "random" }] },
};

const SALT_TEXT = /^\w[\w.:-]{0,63}$/;

/** The salt of a run: what a shell, a log and a file name take as it is. */
export const SALT: ValueKind<string> = textKind(
  "1 to 64 letters, digits and any of . _ : -, such as build-17",
  (word) => (SALT_TEXT.test(word) ? word : undefined),
  { type: "string", pattern: SALT_TEXT.source },
);

/** A part of a run, `2/3`. */
export const SHARD: ValueKind<Shard, string> = textKind("I/N with I from 1 to N, such as 2/3", parseShard);

const milliseconds = (word: string) => (word === "0" ? 0 : parseDuration(word));

/** A length of time, in ms: `500ms`, `90s`, `1h`, or 0. Programs may state the number of ms as well. */
export const DURATION: ValueKind<number, number | string> & { readonly unit: "Ms" } = {
  expected: "a duration such as 500ms, 90s or 1h",
  read: milliseconds,
  accept(given) {
    if (typeof given === "string") return milliseconds(given);
    return Number.isSafeInteger(given) && Number(given) >= 0 ? Number(given) : undefined;
  },
  schema: { anyOf: [{ type: "integer", minimum: 0 }, SOME_TEXT] },
  /** What follows the name of the option in the kit. */
  unit: "Ms",
};
