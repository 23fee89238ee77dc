/** Functions that write a text in another spelling, which the table of transformations names. */
import { hash } from "node:crypto";
import bs58 from "bs58";
import { base58Bytes } from "../contract/key-pair.ts";
import { escapeUnit, otherCase } from "../data/text.ts";

/** Returns the bytes that a text is the encoding of: a key in base58, hex, or else base64. */
function bytesOf(text: string): Buffer {
  const key = base58Bytes(text);
  if (key?.length === 32) return Buffer.from(key);
  return Buffer.from(text, /^(?:[\da-f]{2})+$/.test(text) ? "hex" : "base64");
}

/** Replaces the third character, so that an escape at the start of a text does not hide it. */
function changeOne(text: string, change: (code: string) => string): string {
  const characters = [...text];
  const code = characters[2]?.codePointAt(0)?.toString(16);
  return code === undefined ? text : characters.with(2, change(code)).join("");
}

function changeEach(text: string, change: (character: string) => string): string {
  return [...text].map(change).join("");
}

/** Returns another letter or digit of the same kind. Keeps other characters. */
function neighbor(character: string): string {
  if (/[1-8a-eg-yA-Y]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  const others = { "0": "1", "9": "8", f: "e", z: "y", Z: "Y", "+": "/", "/": "+", "-": "_", _: "-" };
  return Object.hasOwn(others, character) ? others[character as keyof typeof others] : character;
}

export const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "to-base64-url": (text) => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
  base58: (text) => bs58.encode(Buffer.from(text)),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex-pairs": (text) => [...Buffer.from(text)].map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
  "bytes-as-hex": (text) => bytesOf(text).toString("hex"),
  "bytes-as-base64": (text) => bytesOf(text).toString("base64"),
  "bytes-as-base58": (text) => bs58.encode(bytesOf(text)),
  "bytes-as-json": (text) => JSON.stringify([...bytesOf(text)]),
  "percent-of-one": (text) => changeOne(text, (code) => `%${code}`),
  "html-decimal": (text) => changeEach(text, (character) => `&#${character.codePointAt(0)};`),
  "html-of-one": (text) => changeOne(text, (code) => `&#x${code};`),
  "escape-u": (text) => text.replace(/[\s\S]/g, escapeUnit),
  "escape-u-of-one": (text) => changeOne(text, (code) => `\\u${code.padStart(4, "0")}`),
  "escape-x-of-one": (text) => changeOne(text, (code) => `\\x${code}`),
  "other-high-bytes": (text) =>
    text.replace(/[\0-\xff]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0x100)),
  mojibake: (text) => Buffer.from(text).toString("latin1"),
  "sha-256-as-hex": (text) => hash("sha256", text),
  "upper-case": (text) => text.toUpperCase(),
  "lower-case": (text) => text.toLowerCase(),
  "other-case": (text) => text.replace(/[A-Za-z]/g, otherCase),
  /** Changes the last letter that base58 has in both cases. */
  "other-case-of-last": (text) =>
    text.replace(/[A-HJKMNP-Za-hjkmnp-z](?!.*[A-HJKMNP-Za-hjkmnp-z])/s, otherCase),
  nfd: (text) => text.normalize("NFD"),
  "full-width": (text) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  reversed: (text) => [...text].reverse().join(""),
  twice: (text) => text + text,
  "twice-with-comma": (text) => `${text}, ${text}`,
  "without-first": (text) => text.slice(1),
  "without-last": (text) => text.slice(0, -1),
  "other-first": (text) => neighbor(text.slice(0, 1)) + text.slice(1),
  "other-last": (text) => text.slice(0, -1) + neighbor(text.slice(-1)),
  "snake-case": (text) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  "pascal-case": (text) => text.charAt(0).toUpperCase() + text.slice(1),
  "letter-doubled": (text) => text.slice(0, 3) + text.slice(2),
};
