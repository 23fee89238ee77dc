/** How texts for people at a terminal are laid out: columns, wrapped lines, lists of names, colours. */

import { styleText } from "node:util";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

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

/** Columns of text under headings, without rules. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return columns([head, ...rows], 2, 3).join("\n");
}

/** The styles of the console's texts. */
const STYLES = ["red", "green", "yellow", "dim", "bold"] as const;

/** By name, what puts a text into that style. */
export type Colours = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

/** Styles for a terminal that shows them, or ones that leave every text as it is: whether it does is for the edge to know. */
export function coloursOf(shown: boolean): Colours {
  const styled = (style: (typeof STYLES)[number]) => (text: string) =>
    shown ? styleText(style, text, { validateStream: false }) : text;
  return Object.fromEntries(STYLES.map((style) => [style, styled(style)])) as unknown as Colours;
}

/** Ids that are named before the rest is counted. */
const NAMED = 3;

export interface LineRoom {
  /** Columns of a line. */
  readonly width: number;
  /** Columns before the text. */
  readonly indent: number;
  /** Whether all are named, on as many lines as it takes. */
  readonly verbose: boolean;
}

/**
 * The first few of several names, as many as fit on a line but one at least, and how many more there are; of names with
 * a stem (`stem/rest`), each stem's first before any other.
 */
export function someOf(names: readonly string[], { width, indent, verbose }: LineRoom): string {
  if (verbose) return hanging(names.join(", "), width, indent);
  const told = spread(names);
  const text = (count: number) => {
    const rest = told.length - count;
    return `${told.slice(0, count).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  };
  const counts = [NAMED, 2].map((count) => Math.min(count, told.length));
  return text(counts.find((count) => indent + text(count).length <= width) ?? 1);
}

/** Text that is wrapped at words, its further lines as far in as it begins. */
export function hanging(text: string, width: number, indent: number): string {
  return wrapAnsi(text, Math.max(20, width - indent)).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

function spread(names: readonly string[]): readonly string[] {
  const firsts = new Map(names.toReversed().map((name) => [name.split("/")[0], name]));
  const first = new Set(firsts.values());
  return [...names.filter((name) => first.has(name)), ...names.filter((name) => !first.has(name))];
}
