/**
 * Makes text safe to print. Text of an implementation is untrusted: it may contain terminal escapes,
 * bidirectional controls, or commands of a CI service.
 */
import leven from "leven";

/**
 * Control, format, and line-separating characters, lone surrogates, and noncharacters (Unicode properties).
 * XML allows neither control characters nor U+FFFE and U+FFFF.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Returns text as one line that is safe to print: unsafe characters become escapes such as `\u{1b}`.
 * @param maxLength length in UTF-16 code units to which the text is truncated before it is escaped
 */
export function escapeText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return cutText(text, maxLength).replace(
    UNSAFE,
    (char) => SHORT_ESCAPES[char] ?? `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

/**
 * Truncates a text, which may already be escaped, and appends an ellipsis. Never splits a character or an
 * escape.
 * @param maxLength maximum length in UTF-16 code units
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = text.slice(0, maxLength).replace(/[\ud800-\udbff]$|\\(?:u[\da-f]{0,4}|u\{[\da-f]*)?$/i, "");
  return `${kept}…`;
}

/**
 * Returns a line of output that is safe to print, and that is not a workflow command of GitHub Actions
 * (`::command::` at the start of a line, `##[command]` anywhere) or Azure Pipelines (`##vso[`).
 */
export function escapeLine(line: string): string {
  return escapeText(line)
    .replace(/^(\s*)::/, "$1\\::")
    .replace(/##(?=\w*\[)/g, "#\\#");
}

/** Returns lines of output that are safe to print, each with a line break. */
export function escapeLines(lines: readonly string[]): string {
  return lines.map((line) => `${escapeLine(line)}\n`).join("");
}

/** Formats a value as JSON that is safe to print: unsafe characters, and `##`, become escapes of JSON. */
export function safeJson(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  const json = JSON.stringify(value, replacer, 2)
    .replace(UNSAFE, (char) => (char === "\n" ? char : char.replace(/./gs, escapeUnit)))
    .replaceAll("##", "#\\u0023");
  return `${json}\n`;
}

/** Returns the escape sequence of a UTF-16 code unit in JSON. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Formats a count with its noun, as in `1 test` or `2 tests`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Joins words to a command line for the shell (POSIX, "Quoting"). */
export function shellLine(words: readonly string[]): string {
  const quote = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  return words.map(quote).join(" ");
}

/** Returns the first line of an error's message as one safe line. Anything can be thrown. */
export function errorText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    return escapeText(text.split("\n", 1)[0] ?? "", 300) || "(no message)";
  } catch {
    return "(a value that cannot be shown)";
  }
}

/** Returns the name of an error and the first line of its message, as in `TypeError: x is not a function`. */
export function namedErrorText(thrown: unknown): string {
  const text = errorText(thrown);
  const name = thrown instanceof Error ? thrown.name : "Error";
  return name === "Error" || text.startsWith(name) ? text : `${escapeText(String(name), 80)}: ${text}`;
}

const MAX_FRAMES = 8;

/** Returns the innermost stack frames, each safe to print, with paths relative to the working directory. */
export function shownFrames(frames: readonly string[]): readonly string[] {
  return frames.slice(0, MAX_FRAMES).map((frame) => {
    const shortened = frame
      .replace(/^(?:async )?(?:Object\.)?/, "")
      .replace("file://", "")
      .replace(/\?[^:)]*(?=:\d+:\d+\)?$)/, "")
      .replace(`${process.cwd()}/`, "");
    return escapeText(shortened, 200);
  });
}

/** Describes an error of the kit itself in one safe line, with its place in the code. */
export function internalErrorText(thrown: unknown): string {
  const { name = "", stack = "" } = thrown instanceof Error ? thrown : {};
  const place = /^ {4}at .*?([^\s/()]+:\d+:\d+)\)?$/m.exec(stack)?.[1];
  const where = place === undefined ? "" : ` at ${place}`;
  return escapeText(`internal error${where}: ${name} ${errorText(thrown)}; report it with the command`, 500);
}

/**
 * Splits a text into lines at spaces. Without `maxLines`, words that are longer than a line stay whole, so
 * that they can be copied.
 */
export function wrap(text: string, width: number, firstIndent = 0, maxLines?: number): readonly string[] {
  const maxWordLength = maxLines === undefined ? "" : Math.max(1, width - firstIndent);
  const parts = new RegExp(`.{1,${maxWordLength}}`, "gsu");
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((whole) => whole.match(parts) ?? [whole])) {
    const used = line.length + (lines.length === 0 ? firstIndent : 0);
    if (line !== "" && used + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  if (maxLines === undefined || lines.length <= maxLines) return lines;
  const last = cutText(`${lines[maxLines - 1]} …`, width - 1);
  return [...lines.slice(0, maxLines - 1), last];
}

/** Returns the known name that is most similar to a misspelled name, or undefined if none is similar. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const given = name.slice(0, 80).toLowerCase();
  let [best, bestDistance]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const one of known) {
    const limit = Math.min(Math.max(2, one.length / 3), bestDistance - 1);
    // The distance is at least the difference of the lengths.
    if (Math.abs(one.length - given.length) > limit) continue;
    const distance = leven(given, one.toLowerCase());
    if (distance <= limit) [best, bestDistance] = [one, distance];
  }
  return best;
}

/** Changes the case of a letter. */
export function otherCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}
