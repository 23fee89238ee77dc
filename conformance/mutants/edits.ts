/** Edits of a program's source, which create mutants and conforming variants. */
import jsTokens from "js-tokens";

/** Source of a program: file name to text. */
export type Sources = ReadonlyMap<string, string>;

/** A change to the source of a program. */
export interface Edit {
  /** File to edit. Required if several files contain the text. */
  readonly in?: string;
  /** Text that occurs exactly once. White space, comments, and trailing punctuation are not compared. */
  readonly replace: string;
  readonly with: string;
  /** Names that `with` uses: `name`, exported by a file of the program, or `name from package`. */
  readonly imports?: readonly string[];
}

/** An edit that does not apply to the program. */
export class EditError extends Error {
  /** Index of the edit among those of its entry. */
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

/** Sources with their tokens, which all edits share. */
export class Program {
  readonly #files: ReadonlyMap<string, SourceFile>;

  constructor(sources: Sources) {
    this.#files = new Map([...sources].map(([name, text]) => [name, { name, text, tokens: tokenize(text) }]));
  }

  /**
   * Returns the sources with all edits made. Each edit refers to the original source.
   * @throws {EditError} if the text of an edit does not occur exactly once, or overlaps that of another
   */
  edit(edits: readonly Edit[]): Sources {
    const spans: Span[] = [];
    for (const [index, edit] of edits.entries()) {
      const span = this.#find(edit, index);
      if (spans.some((other) => overlaps(span, other)))
        throw new EditError(index, `another edit changes the same text: ${firstLine(edit.replace)}`);
      spans.push(span);
    }
    const edited = new Map([...this.#files.values()].map((file) => [file.name, replaceSpans(file, spans)]));
    for (const [index, { file }] of spans.entries())
      for (const name of edits[index]?.imports ?? []) addImport(edited, file.name, name, index);
    return edited;
  }

  #find(edit: Edit, index: number): Span {
    const files = [...this.#files.values()].filter(({ name }) => edit.in === undefined || name === edit.in);
    const spans = files.flatMap((file) => findTokens(file, edit));
    const [span] = spans;
    if (span !== undefined && spans.length === 1) return span;
    const count = spans.length === 0 ? "does not occur" : `occurs ${spans.length} times`;
    throw new EditError(index, `the text ${count} in ${edit.in ?? "the source"}: ${firstLine(edit.replace)}`);
  }
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** A part of a file and its replacement. */
interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const LAYOUT = new Set(["WhiteSpace", "LineTerminatorSequence", "SingleLineComment", "MultiLineComment"]);

/** Splits text, which may be a part of a program, into tokens, without white space and comments. */
function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let start = 0;
  for (const { type, value } of jsTokens(text)) {
    if (!LAYOUT.has(type)) tokens.push({ text: value, start, end: start + value.length });
    start += value.length;
  }
  return tokens;
}

/** Returns all places in a file that have the tokens of an edit. */
function findTokens(file: SourceFile, edit: Edit): readonly Span[] {
  const wanted = tokenize(edit.replace);
  return file.tokens.flatMap(({ text, start }, index) => {
    const last = text === wanted[0]?.text ? lastMatch(file.tokens, index, wanted) : undefined;
    return last === undefined ? [] : [{ file, start, end: last.end, replacement: edit.with }];
  });
}

/** Matches the wanted tokens from an index. Returns the last matching token, or undefined. */
function lastMatch(tokens: readonly Token[], from: number, wanted: readonly Token[]): Token | undefined {
  let index = from;
  for (const [position, { text }] of wanted.entries()) {
    const next = wanted[position + 1] ?? tokens[index];
    if (tokens[index]?.text === text) index += 1;
    else if (isTrailing(tokens[index], tokens[index + 1]) && tokens[index + 1]?.text === text) index += 2;
    else if (!isTrailing(wanted[position], next)) return undefined;
  }
  return tokens[index - 1];
}

/** Returns whether a token is a comma or semicolon before a closing bracket, which the formatter may add. */
function isTrailing(token: Token | undefined, next: Token | undefined): boolean {
  if (token === undefined || next === undefined) return false;
  return token.text === "," ? /^[)\]}>]$/.test(next.text) : token.text === ";" && next.text === "}";
}

function overlaps(one: Span, other: Span): boolean {
  return one.file === other.file && one.start < other.end && other.start < one.end;
}

function replaceSpans(file: SourceFile, spans: readonly Span[]): string {
  const own = spans.filter((span) => span.file === file).sort((one, other) => other.start - one.start);
  return own.reduce(
    (text, { start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end),
    file.text,
  );
}

/** Adds an import to a file, unless the file already imports or declares the name. */
function addImport(sources: Map<string, string>, file: string, text: string, index: number): void {
  const [specifier = "", packageName] = text.split(" from ");
  const name = specifier.split(" ").at(-1) ?? "";
  const source = sources.get(file) ?? "";
  const exported = new RegExp(`\\bexport\\s+(?:const|let|function|class|interface|type)\\s+${name}\\b`);
  const exporter = [...sources].find(([, other]) => exported.test(other))?.[0];
  if (packageName === undefined && exporter === undefined)
    throw new EditError(index, `no file of the program exports ${name}`);
  const clauses = [...source.matchAll(/\bimport\b([^;"']*)\bfrom\b/g)].map(([, clause = ""]) => clause);
  const isImported = clauses.some((clause) => new RegExp(`\\b${name}\\b`).test(clause));
  if (isImported || (packageName === undefined && exporter === file)) return;
  sources.set(file, `import { ${specifier} } from "${packageName ?? `./${exporter}`}";\n${source}`);
}

function firstLine(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
