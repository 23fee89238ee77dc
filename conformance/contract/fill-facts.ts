/**
 * Numbers of the contract in data files. In a file read by {@link readFilledFile}, `$perMinute` is the number
 * of new builds of a creator in a minute: `$perMinute - 1` is a number, and `${perMinute - 1}` stands in text.
 * `${perMinute:word}` is five, `${perMinute:Word}` is Five, and `${perMinute:nth}` is fifth. A quotient is
 * rounded up.
 */
import { BUILDS_PER_MINUTE } from "./constants.ts";
import { type DataFile, readDataFile } from "./data-file.ts";

/** Reads a data file and fills in the numbers of the contract. @throws {DataError} as {@link readDataFile} does */
export function readFilledFile(path: string): DataFile {
  return readDataFile(path, fillFacts);
}

const WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(
    " ",
  );
const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth".split(
    " ",
  );

const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  word: wordOf,
  Word: (value) => wordOf(value).replace(/^./, (letter) => letter.toUpperCase()),
  nth: (value) => ORDINALS[value] ?? `${value}th`,
};

function wordOf(value: number): string {
  return WORDS[value] ?? String(value);
}

const WHOLE = /^[\d\s+*/()$-]*\$perMinute[\w\s+*/()$-]*$/;
const EMBEDDED = /\$\{([\w\s+*/()-]*\bperMinute\b[\w\s+*/()-]*)(?::(word|Word|nth))?\}/g;

/** Fills the numbers into a text. Returns undefined if an expression is not well-formed. */
export function fillFacts(text: string): string | number | undefined {
  if (!text.includes("perMinute")) return text;
  if (WHOLE.test(text)) return evaluate(text.replaceAll("$perMinute", "perMinute"));
  const filled = text.replace(EMBEDDED, (whole, expression: string, format?: string) => {
    const value = evaluate(expression);
    if (value === undefined) return whole;
    return format === undefined ? String(value) : (FORMATS[format]?.(value) ?? whole);
  });
  return /\$\{?perMinute/.test(filled) ? undefined : filled;
}

/** Evaluates sums, products, and quotients of integers and `perMinute`. */
function evaluate(expression: string): number | undefined {
  const tokens = expression.match(/\d+|[a-zA-Z]+|\S/g) ?? [];
  const next = () => tokens.shift() ?? "";
  const sum = (): number => {
    let value = product();
    while (tokens[0] === "+" || tokens[0] === "-") value += next() === "+" ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = operand();
    while (tokens[0] === "*" || tokens[0] === "/")
      value = next() === "*" ? value * operand() : Math.ceil(value / operand());
    return value;
  };
  const operand = (): number => {
    const token = next();
    if (token === "perMinute") return BUILDS_PER_MINUTE;
    if (token !== "(") return /^\d+$/.test(token) ? Number(token) : Number.NaN;
    const value = sum();
    return next() === ")" ? value : Number.NaN;
  };
  const value = sum();
  return tokens.length === 0 && Number.isFinite(value) ? value : undefined;
}
