import { suggestion } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import type { YamlSource } from "../data/yaml-source.ts";

/** Values by the names of their columns. */
type Row = Readonly<Record<string, unknown>>;
type Entry = Readonly<Record<string, unknown>>;

/** An entry as one row of its cases has it. */
export interface FilledCase {
  /** The row's name; undefined where the entry has no cases. */
  readonly name: string | undefined;
  readonly entry: Entry;
  /** Where the row stands, or else the entry. */
  readonly path: YamlPath;
}

/** Columns that stand for a member of the entry, and are named by nothing in it. */
const OF_THE_ENTRY: ReadonlySet<string> = new Set(["rules"]);

const WHOLE = /^\$case\.([\w-]+)$/;
const WITHIN = /\$\{case\.([\w-]+)\}/g;

/**
 * Writes out the `cases` of an entry: `$case.name` is a whole value, `${case.name}` stands inside a text.
 * @throws {DataError} for a column that a row lacks, and for one that nothing reads
 */
export function fillCases(source: YamlSource, path: YamlPath, entry: Entry): readonly FilledCase[] {
  const { cases, ...rest } = entry;
  if (cases === undefined) return [{ name: undefined, entry: rest, path }];
  const rows = Object.entries(cases as Readonly<Record<string, Row>>);
  const read = new Set(OF_THE_ENTRY);
  const filled = rows.map(([name, row]) => {
    const own = { ...rest, ...(row["rules"] === undefined ? {} : { rules: row["rules"] }) };
    const value = filledIn(own, (column) => {
      read.add(column);
      if (Object.hasOwn(row, column)) return row[column];
      const known = suggestion(column, Object.keys(row));
      throw source.error([...path, "cases", name], `the case has no "${column}"${known}`);
    });
    return { name, entry: value as Entry, path: [...path, "cases", name] };
  });
  for (const [name, row] of rows) {
    const unused = Object.keys(row).find((column) => !read.has(column));
    if (unused === undefined) continue;
    const known = suggestion(unused, read);
    throw source.error([...path, "cases", name, unused], `nothing reads $case.${unused}${known}`);
  }
  return filled;
}

function filledIn(value: unknown, columnOf: (name: string) => unknown): unknown {
  if (typeof value === "string") {
    const whole = WHOLE.exec(value)?.[1];
    if (whole !== undefined) return columnOf(whole);
    return value.replace(WITHIN, (_, column: string) => String(columnOf(column)));
  }
  if (Array.isArray(value)) return value.map((one) => filledIn(one, columnOf));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, one]) => [name, filledIn(one, columnOf)]));
}
