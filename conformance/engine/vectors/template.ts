import { DataError } from "../data/data-error.ts";
import type { Template } from "./vector.ts";

const WHOLE = /^\$([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)*)$/;
const INSIDE = /\$\{([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)*)\}/g;

/** A vector that has nothing to try on this implementation's values; `message` says why. It is left out. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Looks up `name` and then `path` in it; throws a DataError-like message string where there is nothing. */
export type Lookup = (name: string, path: readonly string[]) => Template;

type FunctionBody = (argument: Template, fail: (why: string) => never) => Template;

/** Functions that a vector may call as `{ $name: argument }`. Arguments are already filled in. */
const FUNCTIONS: Readonly<Record<string, FunctionBody>> = {
  /** `[text, times]` */
  $repeat: (argument, fail) => {
    const [text, times] = Array.isArray(argument) ? argument : [];
    if (typeof text !== "string" || typeof times !== "number") return fail("takes [text, times]");
    return text.repeat(times);
  },
  /** `{ start, with, bytes | characters }`: `start`, then `with` again and again up to the length. */
  $fill: (argument, fail) => {
    const { start, with: filler, bytes, characters } = (argument ?? {}) as Record<string, Template>;
    const length = bytes ?? characters;
    if (typeof start !== "string" || typeof filler !== "string" || typeof length !== "number") {
      return fail("takes { start, with, bytes } or { start, with, characters }");
    }
    const size = (text: string) => (bytes === undefined ? [...text].length : Buffer.byteLength(text));
    const times = (length - size(start)) / size(filler);
    if (!Number.isInteger(times) || times < 0) return fail(`cannot reach exactly ${length}`);
    return start + filler.repeat(times);
  },
  /** The letters A-Z and a-z in the other case; does not apply to a text that has none. */
  $otherCase: (argument, fail) => {
    if (typeof argument !== "string") return fail("takes a text");
    if (!/[A-Za-z]/.test(argument))
      throw new NotApplicable(`"${argument}" has no letter whose case could change`);
    return argument.replace(/[A-Za-z]/g, (letter) => {
      return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    });
  },
  /** `[text, other]`: the text; does not apply where the other is the same. */
  $unlessSame: (argument, fail) => {
    const [text, other] = Array.isArray(argument) ? argument : [];
    if (typeof text !== "string" || typeof other !== "string") return fail("takes [text, other]");
    if (text === other) throw new NotApplicable("the service gave the same text twice");
    return text;
  },
  $upper: (argument, fail) => (typeof argument === "string" ? argument.toUpperCase() : fail("takes a text")),
  $lower: (argument, fail) => (typeof argument === "string" ? argument.toLowerCase() : fail("takes a text")),
  /** A hexadecimal text with its last digit changed. */
  $otherHex: (argument, fail) => {
    if (typeof argument !== "string") return fail("takes a text");
    return argument.slice(0, -1) + (argument.endsWith("0") ? "1" : "0");
  },
  /** A text with another last character, which differs in its first bits too, whatever base it is written in. */
  $otherEnd: (argument, fail) => {
    if (typeof argument !== "string" || argument === "") return fail("takes a text");
    return argument.slice(0, -1) + (/[A-Za-f]$/.test(argument) ? "0" : "A");
  },
  /** A hexadecimal text with its first digit changed. */
  $otherStart: (argument, fail) => {
    if (typeof argument !== "string") return fail("takes a text");
    return (argument.startsWith("0") ? "1" : "0") + argument.slice(1);
  },
  /** `[text, from, to]`: a part of the text, in UTF-16 units. */
  $slice: (argument, fail) => {
    const [text, from, to] = Array.isArray(argument) ? argument : [];
    if (typeof text !== "string" || typeof from !== "number") return fail("takes [text, from, to]");
    return text.slice(from, typeof to === "number" ? to : undefined);
  },
  /** `[text, search, replacement]`, the first occurrence. */
  $replace: (argument, fail) => {
    const [text, search, replacement] = Array.isArray(argument) ? argument : [];
    if (typeof text !== "string" || typeof search !== "string" || typeof replacement !== "string") {
      return fail("takes [text, search, replacement]");
    }
    if (!text.includes(search)) return fail(`"${search}" is not in the text`);
    return text.replace(search, () => replacement);
  },
  /** Arrays within arrays, so deep. */
  $nested: (argument, fail) => {
    if (typeof argument !== "number") return fail("takes a depth");
    return `${"[".repeat(argument)}${"]".repeat(argument)}`;
  },
};

/** The names that a template mentions, for checks at load time; each with the rest of its path. */
export function mentions(
  template: Template,
): readonly { readonly name: string; readonly path: readonly string[] }[] {
  if (typeof template === "string") {
    const whole = WHOLE.exec(template)?.[1];
    const texts =
      whole === undefined ? [...template.matchAll(INSIDE)].map((match) => match[1] ?? "") : [whole];
    return texts.map((text) => {
      const [name = "", ...path] = text.split(".");
      return { name, path };
    });
  }
  if (template === null || typeof template !== "object") return [];
  return Object.values(template).flatMap(mentions);
}

/** The functions that a template calls and that do not exist. */
export function unknownFunctions(template: Template): readonly string[] {
  if (template === null || typeof template !== "object") return [];
  const inner = Object.values(template as Record<string, Template>).flatMap(unknownFunctions);
  const name = functionName(template);
  return name === undefined || Object.hasOwn(FUNCTIONS, name) ? inner : [name, ...inner];
}

/** Names of all functions, for suggestions. */
export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

/**
 * Fills in a template.
 * @throws {DataError} at `where` for a function that cannot take its argument, or from `lookup`
 */
export function fill(template: Template, lookup: Lookup, where: string): Template {
  if (typeof template === "string") return fillText(template, lookup);
  if (template === null || typeof template !== "object") return template;
  if (Array.isArray(template)) return template.map((item) => fill(item as Template, lookup, where));
  const entries = Object.entries(template as Record<string, Template>);
  const name = functionName(template);
  if (name !== undefined) {
    const argument = fill(entries[0]?.[1] ?? null, lookup, where);
    return (FUNCTIONS[name] as FunctionBody)(argument, (why) => {
      throw new DataError(where, `${name} ${why}`);
    });
  }
  return Object.fromEntries(entries.map(([key, value]) => [key, fill(value, lookup, where)]));
}

function functionName(template: Template): string | undefined {
  if (template === null || typeof template !== "object" || Array.isArray(template)) return undefined;
  const keys = Object.keys(template);
  return keys.length === 1 && keys[0]?.startsWith("$") ? keys[0] : undefined;
}

function fillText(text: string, lookup: Lookup): Template {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) {
    const [name = "", ...path] = whole.split(".");
    return lookup(name, path);
  }
  return text.replace(INSIDE, (_, inner: string) => {
    const [name = "", ...path] = inner.split(".");
    const value = lookup(name, path);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
