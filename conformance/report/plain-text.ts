/** Control and format characters (C0, C1, escape sequences, direction marks, zero widths) and halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * Text from an implementation under test, made harmless for a terminal: nothing in it can move the cursor, change
 * colours, reverse the direction of writing or hide.
 */
export function plain(text: string): string {
  return text.replace(UNPRINTABLE, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** {@link plain}, on one line of at most so many characters. */
export function plainLine(text: string, most: number): string {
  const line = plain(text);
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
