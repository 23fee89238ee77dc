/** Edits of a program's source, which create mutants and conforming variants. */
import jsTokens from "js-tokens";
import { cutText } from "../data/text.ts";

/** Source of a program: file name to text. */
export type Sources = ReadonlyMap<string, string>;

/** A change to the source of a program. */
export interface Edit {
  /** File to edit. Required if several files contain the text. */
  readonly in?: string;
  /** Text that occurs exactly once. White space, comments, and trailing punctuation are not compared. */
  readonly replace: string;
  readonly with: string;
  /** Names that `with` uses. Each is `name`, if a file of the program exports it, or `name from package`. */
  readonly imports?: readonly string[];
}

/**
 * Returns the sources with all edits made. Each edit refers to the original source.
 * @param addFault called with each edit that does not apply: its text does not occur exactly once or overlaps
 *   the text of a different edit, or no file exports a name that it imports
 */
export function editSources(
  sources: Sources,
  edits: readonly Edit[],
  addFault: (edit: Edit, message: string) => void,
): Sources {
  const spans: Span[] = [];
  for (const edit of edits) {
    const [span, ...others] = findSpans(sources, edit);
    const text = cutText(edit.replace.trim().replace(/\s+/g, " "), 80);
    const count = span === undefined ? "does not occur" : `occurs ${others.length + 1} times`;
    if (span === undefined || others.length > 0)
      addFault(edit, `the text ${count} in ${edit.in ?? "the source"}: ${text}`);
    else if (spans.some(({ file, start, end }) => file === span.file && start < span.end && span.start < end))
      addFault(edit, `another edit changes the same text: ${text}`);
    else spans.push(span);
  }
  const edited = new Map(sources);
  for (const { file, start, end, edit } of spans.toSorted((one, other) => other.start - one.start)) {
    const text = edited.get(file) ?? "";
    edited.set(file, text.slice(0, start) + edit.with + text.slice(end));
  }
  for (const { file, edit } of spans)
    for (const name of edit.imports ?? [])
      if (!addImport(edited, file, name)) addFault(edit, `no file of the program exports ${name}`);
  return edited;
}

/** A part of a file that an edit replaces. */
interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly edit: Edit;
}

/** Returns all places that have the text of an edit. */
function findSpans(sources: Sources, edit: Edit): readonly Span[] {
  const pattern = patternOf(edit.replace);
  const files = [...sources].filter(([file]) => edit.in === undefined || file === edit.in);
  return files.flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index: start }) => {
      return { file, start, end: start + found.length, edit };
    }),
  );
}

/** White space and comments. */
const GAP = String.raw`(?:\s|//.*|/\*[^]*?\*/)*`;
const LAYOUT = new Set(["WhiteSpace", "LineTerminatorSequence", "SingleLineComment", "MultiLineComment"]);

/**
 * Returns a pattern that matches the tokens of a text, with any white space and comments between them. A
 * comma or semicolon before a closing bracket is optional, because the formatter adds or removes it.
 */
function patternOf(text: string): RegExp {
  const tokens = [...jsTokens(text)].filter(({ type }) => !LAYOUT.has(type));
  const patterns = tokens.map(({ value }, index) => {
    const literal = value.replace(/[^\w\s]/g, "\\$&");
    if (index > 0 && /^[)\]}>]$/.test(value)) return `(?:[,;]${GAP})?${literal}`;
    if (/^[,;]$/.test(value)) return `(?:${literal}|(?=${GAP}[)\\]}>]))`;
    return /^\w+$/.test(value) ? `\\b${literal}\\b` : literal;
  });
  return new RegExp(patterns.join(GAP), "g");
}

/**
 * Adds an import to a file, unless the file already imports or declares the name.
 * @returns whether the name can be imported
 */
function addImport(sources: Map<string, string>, file: string, text: string): boolean {
  const [specifier = "", packageName] = text.split(" from ");
  const name = specifier.split(" ").at(-1) ?? "";
  const source = sources.get(file) ?? "";
  const exported = new RegExp(`\\bexport\\s+(?:const|let|function|class|interface|type)\\s+${name}\\b`);
  const [home] = [...sources].find(([, other]) => exported.test(other)) ?? [];
  if (packageName === undefined && home === undefined) return false;
  const clauses = [...source.matchAll(/\bimport\b([^;"']*)\bfrom\b/g)].map(([, clause = ""]) => clause);
  const isImported = clauses.some((clause) => new RegExp(`\\b${name}\\b`).test(clause));
  if (!isImported && (packageName !== undefined || home !== file))
    sources.set(file, `import { ${specifier} } from "${packageName ?? `./${home}`}";\n${source}`);
  return true;
}
