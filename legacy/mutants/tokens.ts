import jsTokens from "js-tokens";

/** A token of TypeScript, with where it stands in its text. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const BETWEEN_TOKENS: ReadonlySet<string> = new Set([
  "WhiteSpace",
  "LineTerminatorSequence",
  "SingleLineComment",
  "MultiLineComment",
]);

/**
 * The tokens of a text, which need not be a whole program: white space and comments are left out, and the `>>` of
 * nested type arguments counts as two tokens, as a line break may come between them.
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { type, value } of jsTokens(text)) {
    const parts = BETWEEN_TOKENS.has(type) ? [] : /^>+$/.test(value) ? [...value] : [value];
    let start = at;
    for (const part of parts) {
      tokens.push({ text: part, start, end: start + part.length });
      start += part.length;
    }
    at += value.length;
  }
  return tokens;
}

/**
 * The same program, with spaces for what the layout of lines alone brings about: comments, the parentheses around a
 * value that takes several lines, and the operator before the first of several types.
 */
export function withoutLayout(text: string): string {
  const tokens = tokensOf(text);
  const dropped = new Set(
    tokens.flatMap((_, index) => [
      ...(isLeadingOperator(tokens, index) ? [index] : []),
      ...wrappingPair(tokens, index),
    ]),
  );
  let plain = "";
  for (const [index, { text: token, start, end }] of tokens.entries()) {
    const gap = blank(text.slice(plain.length, start));
    // A line break behind `return` would end the statement.
    plain += dropped.has(index - 1) ? gap.replaceAll("\n", " ") : gap;
    plain += dropped.has(index) ? blank(text.slice(start, end)) : token;
  }
  return plain + blank(text.slice(plain.length));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

const BEFORE_A_TYPE: ReadonlySet<string | undefined> = new Set(["=", ":", "<", "(", "[", ",", "=>"]);

function isLeadingOperator(tokens: readonly Token[], index: number): boolean {
  return /^[|&]$/.test(tokens[index]?.text ?? "") && BEFORE_A_TYPE.has(tokens[index - 1]?.text);
}

const BEFORE_A_VALUE: ReadonlySet<string | undefined> = new Set(["return", "throw", "=>"]);
const BEHIND_A_VALUE: ReadonlySet<string | undefined> = new Set([";", ",", ")", "]", "}", undefined]);

/** The pair of parentheses that begins here and is around the whole of what is returned, thrown or an arrow's body. */
function wrappingPair(tokens: readonly Token[], open: number): readonly number[] {
  if (tokens[open]?.text !== "(" || !BEFORE_A_VALUE.has(tokens[open - 1]?.text)) return [];
  // Without its parentheses, an object would be a block.
  if (tokens[open + 1]?.text === "{") return [];
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const text = tokens[index]?.text ?? "";
    depth += depthChange(text);
    if (depth === 1 && text === ",") return [];
    if (depth === 0) return BEHIND_A_VALUE.has(tokens[index + 1]?.text) ? [open, index] : [];
  }
  return [];
}

/** Brackets, and the first and last part of a template with values in it. */
function depthChange(token: string): number {
  if (/^(?:[([{]|`.*\$\{)$/s.test(token)) return 1;
  return /^(?:[)\]}]|\}.*`)$/s.test(token) ? -1 : 0;
}
