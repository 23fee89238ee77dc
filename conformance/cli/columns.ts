/**
 * Rows of texts as lines, each column as wide as its longest text and two spaces from the next.
 * @param indent spaces before each line
 */
export function columns(rows: readonly (readonly string[])[], indent = 0): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, text.length);
  }
  return rows.map((row) => {
    const padded = row.map((text, index) => text.padEnd(widths[index] ?? 0)).join("  ");
    return `${" ".repeat(indent)}${padded}`.trimEnd();
  });
}
