import stringWidth from "string-width";

/** Text of which each character is as wide as any other. */
const EVEN = /^[ -~]*$/;

/** Columns of a terminal that a text takes, escape sequences not counted. */
function widthOf(text: string): number {
  return EVEN.test(text) ? text.length : stringWidth(text);
}

/**
 * Rows of texts as lines, each column as wide as its widest text.
 * @param indent spaces before each line
 * @param gap spaces between columns
 */
export function columns(rows: readonly (readonly string[])[], indent = 0, gap = 2): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(text));
  }
  return rows.map((row) => {
    const padded = row.map((text, index) => text + " ".repeat((widths[index] ?? 0) - widthOf(text)));
    return `${" ".repeat(indent)}${padded.join(" ".repeat(gap))}`.trimEnd();
  });
}
