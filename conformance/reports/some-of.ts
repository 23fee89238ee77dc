import wrapAnsi from "wrap-ansi";

/** Ids that are named before the rest is counted. */
const NAMED = 3;

export interface Room {
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
export function someOf(names: readonly string[], { width, indent, verbose }: Room): string {
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
