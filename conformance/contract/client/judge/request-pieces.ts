import { isUtf8 } from "node:buffer";
import type { ClientRequest } from "../../../engine/client/trace.ts";
import { isObject } from "../../../engine/play/exchange.ts";

/** A part of a request in which text can stand. */
export interface RequestPiece {
  /** For people: `path`, `header user-agent`, `body, member name`. */
  readonly where: string;
  readonly text: string;
}

/** Nothing shorter holds as much of a key as is looked for. */
const LEAST = 8;
/** No reader goes deeper into a body; what lies there is found in its text. */
const DEEPEST = 32;

/**
 * The parts of a request, the small ones first, so that what is found is told by the smallest part that holds it; what
 * is written over several parts is found in those that hold them all.
 */
export function requestPieces({ method, target, headers, body }: ClientRequest): readonly RequestPiece[] {
  const [path = "", query] = split(target, "?");
  const pieces: RequestPiece[] = [{ where: "method", text: method }];
  add(pieces, "path", path);
  if (query !== undefined) add(pieces, "query", query);
  for (const [name, value] of headers) {
    add(pieces, "name of a header", name);
    add(pieces, `header ${name}`, value);
  }
  if (body !== undefined && body.length > 0) addBody(pieces, Buffer.from(body));
  pieces.push({ where: "several headers", text: headers.map(([, value]) => value).join("") });
  return pieces.filter(({ text }) => text.length >= LEAST);
}

function addBody(pieces: RequestPiece[], body: Buffer): void {
  const text = isUtf8(body) ? body.toString() : body.toString("latin1");
  const strings: string[] = [];
  try {
    addValue(pieces, strings, "", JSON.parse(text), 0);
  } catch {
    // No JSON: its text is looked at as a whole.
  }
  add(pieces, "body", text);
  if (strings.length > 1) pieces.push({ where: "several members of the body", text: strings.join("") });
}

function addValue(
  pieces: RequestPiece[],
  strings: string[],
  place: string,
  value: unknown,
  depth: number,
): void {
  const where = place === "" ? "body" : `body, member ${place}`;
  if (typeof value === "string") {
    strings.push(value);
    add(pieces, where, value);
  } else if (Array.isArray(value) && value.every((item) => typeof item === "number")) {
    add(pieces, where, value.join(" "));
  } else if (depth < DEEPEST && typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (isObject(value)) add(pieces, "name of a member of the body", name);
      addValue(pieces, strings, place === "" ? name : `${place}.${name}`, member, depth + 1);
    }
  }
}

/** A text as it stands, and, where it has escapes, as it is meant. */
function add(pieces: RequestPiece[], where: string, text: string): void {
  pieces.push({ where, text });
  const meant = unescaped(text);
  if (meant !== text) pieces.push({ where, text: meant });
}

/**
 * Percent-encoding and the escapes of JSON and of programming languages undone, character by character: bytes that are no
 * UTF-8 become Latin-1. What was escaped twice has more backslashes, or `%25`.
 */
function unescaped(text: string): string {
  if (!/[%\\]/.test(text)) return text;
  const character = (base: number) => (_: string, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, base));
  return text
    .replace(/%(?:25)*([0-9A-Fa-f]{2})/g, character(16))
    .replace(/\\+u([0-9A-Fa-f]{4})/g, character(16))
    .replace(/\\+x([0-9A-Fa-f]{2})/g, character(16))
    .replace(/\\+([0-3][0-7]{2})/g, character(8))
    .replace(/\\([nrtbfave"'\\/])/g, (_, mark: string) => ESCAPES[mark] ?? mark);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  a: "\x07",
  v: "\v",
  e: "\x1b",
};

function split(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
