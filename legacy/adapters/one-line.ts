/** Control, format and line-separating characters, and halves of surrogate pairs: what could redraw a terminal or break a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of unknown origin as one harmless line: unprintable runs become a space, and what is longer than `limit`
 * characters is cut with an ellipsis.
 */
export function oneLine(text: string, limit = 200): string {
  // Cut first, so that a huge text costs no more than a small one.
  const line = text
    .slice(0, limit * 4)
    .replace(UNPRINTABLE, " ")
    .trim();
  const cut = line.length > limit || text.length > limit * 4;
  return cut ? `${line.slice(0, limit - 1).replace(UNPRINTABLE, "")}…` : line;
}

/** What was thrown, as one harmless line. Anything can be thrown, so also things that refuse to become text. */
export function thrownLine(thrown: unknown): string {
  try {
    return oneLine(thrown instanceof Error ? errorText(thrown) : String(thrown)) || "(no message)";
  } catch {
    return "(a value that cannot be shown)";
  }
}

/** An error's message; of one that has none, such as several failed connections in one, its code. */
function errorText(error: Error & { readonly code?: unknown }): string {
  return error.message || String(error.code ?? error.name);
}

/** A value as one harmless line of JSON, for "expected …, not …" messages. */
export function shown(value: unknown): string {
  try {
    return oneLine(JSON.stringify(value) ?? String(value), 80);
  } catch {
    return `(a ${typeof value} that cannot be shown)`;
  }
}
