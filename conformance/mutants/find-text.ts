import type { Program, ProgramFile } from "./reference-program.ts";
import { type Token, tokensOf, withoutLayout } from "./tokens.ts";

/** A stretch of a program's text. */
export interface Span {
  readonly file: ProgramFile;
  readonly start: number;
  readonly end: number;
}

/** Every place where the program has these tokens, whatever the layout there. */
export function findText(program: Program, text: string): readonly Span[] {
  const wanted = tokensOf(withoutLayout(text));
  const [first] = wanted;
  if (first === undefined) return [];
  return program.flatMap((file) =>
    placesOf(first.text, file).flatMap((index) => {
      const [start, last] = [file.tokens[index]?.start ?? 0, lastOf(file.tokens, index, wanted)];
      return last === undefined ? [] : [{ file, start, end: last.end }];
    }),
  );
}

/** Indexes of the tokens of a file by their texts: hundreds of edits are looked for in the same few files. */
const indexes = new WeakMap<ProgramFile, ReadonlyMap<string, readonly number[]>>();

function placesOf(text: string, file: ProgramFile): readonly number[] {
  let index = indexes.get(file);
  if (index === undefined) {
    const places = new Map<string, number[]>();
    for (const [place, token] of file.tokens.entries()) {
      const known = places.get(token.text);
      if (known === undefined) places.set(token.text, [place]);
      else known.push(place);
    }
    indexes.set(file, places);
    index = places;
  }
  return index.get(text) ?? [];
}

/** The last of the tokens that stand here for the wanted ones; undefined where others stand here. */
function lastOf(tokens: readonly Token[], from: number, wanted: readonly Token[]): Token | undefined {
  let at = from;
  for (const [index, { text }] of wanted.entries()) {
    if (tokens[at]?.text === text) at += 1;
    else if (at === from) return undefined;
    else if (isTrailing(tokens[at], tokens[at + 1]) && tokens[at + 1]?.text === text) at += 2;
    else if (!isTrailing(wanted[index], wanted[index + 1] ?? tokens[at])) return undefined;
  }
  return tokens[at - 1];
}

/** Whether a comma or semicolon is the one behind the last of several, which stands there where each has its own line. */
function isTrailing(token: Token | undefined, next: Token | undefined): boolean {
  if (token === undefined || next === undefined) return false;
  return token.text === "," ? /^[)\]}>]$/.test(next.text) : token.text === ";" && next.text === "}";
}

/** Fewer tokens in common than this share of them is no likeness. */
const LEAST_SHARED = 0.6;

/** The place that has most of the text's tokens in common with it; undefined where none has many. */
export function nearestText(program: Program, text: string): Span | undefined {
  const wanted = tokensOf(withoutLayout(text));
  if (wanted.length === 0) return undefined;
  let nearest: Span | undefined;
  let most = 0;
  for (const file of program) {
    for (const { first, last, shared } of stretches(file.tokens, wanted)) {
      // Of stretches that overlap, the one that begins alike reads best.
      const likeness = shared + (first.text === wanted[0]?.text ? 0.5 : 0);
      if (shared < wanted.length * LEAST_SHARED || likeness <= most) continue;
      most = likeness;
      nearest = { file, start: first.start, end: last.end };
    }
  }
  return nearest;
}

interface Stretch {
  readonly first: Token;
  readonly last: Token;
  /** How many of the wanted tokens are among these. */
  readonly shared: number;
}

/** Every stretch of as many tokens as are wanted. */
function* stretches(tokens: readonly Token[], wanted: readonly Token[]): Generator<Stretch> {
  const lacking = new Map<string, number>();
  for (const { text } of wanted) lacking.set(text, (lacking.get(text) ?? 0) + 1);
  let shared = 0;
  for (const [index, last] of tokens.entries()) {
    const left = lacking.get(last.text);
    if (left !== undefined) {
      if (left > 0) shared += 1;
      lacking.set(last.text, left - 1);
    }
    const first = tokens[index - wanted.length + 1];
    if (first === undefined) continue;
    yield { first, last, shared };
    const freed = lacking.get(first.text);
    if (freed === undefined) continue;
    if (freed >= 0) shared -= 1;
    lacking.set(first.text, freed + 1);
  }
}

/** `file:line` of a place in the program as it is written. */
export function placeOf({ file, start }: Span): string {
  return `${file.name}:${file.text.slice(0, start).split("\n").length}`;
}
