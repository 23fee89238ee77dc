/**
 * Control and format characters (C0, C1, escape sequences, direction marks, zero widths), halves of pairs, and code
 * points that are none (XML 1.0 has no way to write U+FFFE and U+FFFF).
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}\u2028\u2029]/gu;

/** How the logs of GitHub Actions, Azure Pipelines and TeamCity mark a command, wherever in a line it stands. */
const LOG_COMMAND = /#(?=#[a-z]*\[)/gi;

/** What most text is made of, and is harmless. */
const PLAIN = /^[\u0020-\u0022\u0024-\u007e]*$/;

/**
 * Text from an implementation under test, made harmless for a terminal and for the log of a CI server: nothing in it
 * can move the cursor, change colours, reverse the direction of writing, hide, or give a command.
 */
export function plain(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, escaped).replace(LOG_COMMAND, escaped);
}

/** {@link plain}, on one line of at most so many characters. */
export function plainLine(text: string, most: number): string {
  // Cut first, so that a huge text costs no more than a small one.
  const line = plain(text.slice(0, most + 1));
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(UNPRINTABLE, "")}…`;
}

function escaped(found: string): string {
  return `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`;
}
