import type { FunctionName } from "../vectors/syntax.ts";
import type { Template } from "../vectors/vector.ts";
import { NotApplicable } from "./step-ends.ts";

type FunctionBody = (argument: Template, fail: (why: string) => never) => Template;

/** What the functions of vectors do. Arguments are already filled in. */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionBody>> = {
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
  /** The last letter that has another case in base58, in that case; does not apply to a text that has none. */
  $otherCaseOnce: (argument, fail) => {
    if (typeof argument !== "string") return fail("takes a text");
    const [, before, letter, after] = /^(.*)([A-HJKMNP-Za-hjkmnp-z])(.*)$/s.exec(argument) ?? [];
    if (before === undefined || letter === undefined) throw new NotApplicable(`"${argument}" has no letter`);
    return before + (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()) + after;
  },
  /** `[text, other, …]`: the text; does not apply where one of the others is the same. */
  $unlessSame: (argument, fail) => {
    const [text, ...others] = Array.isArray(argument) ? argument : [];
    const areTexts = others.length > 0 && [text, ...others].every((one) => typeof one === "string");
    if (!areTexts) return fail("takes [text, other, …]");
    if (others.includes(text)) throw new NotApplicable("the service gave the same text twice");
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
