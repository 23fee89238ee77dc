/** Edits of a program: where their text stands, what is wrong with them, and the sources that they make. */
import { DataError } from "../engine/data/data-error.ts";
import type { Program, ProgramFile, Sources } from "./program.ts";
import type { MutantSuite, PlacedEdit } from "./suite.ts";
import { type Token, tokensOf, withoutLayout } from "./tokens.ts";

/**
 * The sources with every edit made. All edits refer to the program as given, never to each other's outcome.
 * @throws {DataError} with the edit's file:line, where one does not apply
 */
export function applyEdits(program: Program, edits: readonly PlacedEdit[]): Sources {
  const faults = faultsOfEdits(program, edits);
  if (faults[0] !== undefined) throw new DataError(faults[0].where, faults[0].message);
  const places = edits.flatMap((edit) => candidates(program, edit).map((span) => ({ ...span, edit })));
  const edited = new Map(
    program.map((file) => {
      const own = places.filter((place) => place.file === file).sort((a, b) => b.start - a.start);
      const text = own.reduce(
        (before, { start, end, edit }) => before.slice(0, start) + edit.with + before.slice(end),
        file.text,
      );
      return [file.name, text];
    }),
  );
  return new Map(
    program.map((file) => {
      const own = places.filter((place) => place.file === file);
      const imports = new Set(own.flatMap(({ edit }) => edit.imports ?? []));
      return [file.name, withImports(edited, file.name, imports)];
    }),
  );
}

/** The stretches of the program that edits replace, of those that apply. */
export function spansOf(program: Program, edits: readonly PlacedEdit[]): readonly Span[] {
  return edits.flatMap((edit) => candidates(program, edit));
}

/** Whether edits of these stretches would touch the same text. */
export function overlap(some: readonly Span[], others: readonly Span[]): boolean {
  return some.some((one) => others.some((other) => meet(one, other)));
}

/** Why an edit does not apply. */
export interface EditFault {
  /** `file:line` of the edit. */
  readonly where: string;
  readonly message: string;
}

/** What is wrong with the edits of one entry: text that does not occur exactly once or that two of them touch, or an unknown import. */
export function faultsOfEdits(program: Program, edits: readonly PlacedEdit[]): readonly EditFault[] {
  const taken: Span[] = [];
  const texts = new Map([
    ...program.map(({ name, text }): [string, string] => [name, text]),
    ...edits.map((edit, index): [string, string] => [`edit ${index}`, edit.with]),
  ]);
  return edits.flatMap((edit) => {
    const where = `${edit.place.file}:${edit.place.line}`;
    const [span, ...more] = candidates(program, edit);
    if (span === undefined) return { where, message: notFound(program, edit) };
    if (more.length > 0) {
      const places = [span, ...more].map(placeOf).join(", ");
      return {
        where,
        message: `the source has this more than once, at ${places}: ${shown(edit.replace)}`,
      };
    }
    if (overlap([span], taken))
      return { where, message: `another edit touches this: ${shown(edit.replace)}` };
    taken.push(span);
    return unknownNames(texts, edit.imports ?? []).map((name) => ({
      where,
      message: `no file of the source exports ${name}`,
    }));
  });
}

/** Where the text of an edit stands. */
function candidates(program: Program, edit: PlacedEdit): readonly Span[] {
  return findText(
    edit.in === undefined ? program : program.filter(({ name }) => name === edit.in),
    edit.replace,
  );
}

function notFound(program: Program, edit: PlacedEdit): string {
  const [elsewhere] = findText(program, edit.replace);
  const nearest = elsewhere ?? nearestText(program, edit.replace);
  const hint = nearest === undefined ? "" : `; nearest is ${placeOf(nearest)}: ${shown(textOf(nearest))}`;
  return `${edit.in ?? "the source"} has nowhere: ${shown(edit.replace)}${hint}`;
}

function textOf({ file, start, end }: Span): string {
  return file.text.slice(start, end);
}

const MOST_SHOWN = 100;

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}

function meet(one: Span, other: Span): boolean {
  return one.file === other.file && one.start < other.end && other.start < one.end;
}

/** One line for each edit of a suite that does not apply to the program: where it is, whose, and what it looks for. */
export function checkEdits({ broken, legal }: MutantSuite, program: Program): readonly string[] {
  return [...broken, ...legal].flatMap(({ id, edits }) =>
    faultsOfEdits(program, edits).map(({ where, message }) => `${where}: ${id}: ${message}`),
  );
}

/** A stretch of a program's text. */
export interface Span {
  readonly file: ProgramFile;
  readonly start: number;
  readonly end: number;
}

/** Every place where the program has these tokens, whatever the layout there. */
export function findText(program: Program, text: string): readonly Span[] {
  const wanted = tokensOf(withoutLayout(text));
  const [first] = wanted;
  if (first === undefined) return [];
  return program.flatMap((file) =>
    placesOf(first.text, file).flatMap((index) => {
      const [start, last] = [file.tokens[index]?.start ?? 0, lastOf(file.tokens, index, wanted)];
      return last === undefined ? [] : [{ file, start, end: last.end }];
    }),
  );
}

/** Indexes of the tokens of a file by their texts: hundreds of edits are looked for in the same few files. */
const indexes = new WeakMap<ProgramFile, ReadonlyMap<string, readonly number[]>>();

function placesOf(text: string, file: ProgramFile): readonly number[] {
  let index = indexes.get(file);
  if (index === undefined) {
    const places = new Map<string, number[]>();
    for (const [place, token] of file.tokens.entries()) {
      const known = places.get(token.text);
      if (known === undefined) places.set(token.text, [place]);
      else known.push(place);
    }
    indexes.set(file, places);
    index = places;
  }
  return index.get(text) ?? [];
}

/** The last of the tokens that stand here for the wanted ones; undefined where others stand here. */
function lastOf(tokens: readonly Token[], from: number, wanted: readonly Token[]): Token | undefined {
  let at = from;
  for (const [index, { text }] of wanted.entries()) {
    if (tokens[at]?.text === text) at += 1;
    else if (at === from) return undefined;
    else if (isTrailing(tokens[at], tokens[at + 1]) && tokens[at + 1]?.text === text) at += 2;
    else if (!isTrailing(wanted[index], wanted[index + 1] ?? tokens[at])) return undefined;
  }
  return tokens[at - 1];
}

/** Whether a comma or semicolon is the one behind the last of several, which stands there where each has its own line. */
function isTrailing(token: Token | undefined, next: Token | undefined): boolean {
  if (token === undefined || next === undefined) return false;
  return token.text === "," ? /^[)\]}>]$/.test(next.text) : token.text === ";" && next.text === "}";
}

/** Fewer tokens in common than this share of them is no likeness. */
const LEAST_SHARED = 0.6;

/** The place that has most of the text's tokens in common with it; undefined where none has many. */
export function nearestText(program: Program, text: string): Span | undefined {
  const wanted = tokensOf(withoutLayout(text));
  if (wanted.length === 0) return undefined;
  let nearest: Span | undefined;
  let most = 0;
  for (const file of program) {
    for (const { first, last, shared } of stretches(file.tokens, wanted)) {
      // Of stretches that overlap, the one that begins alike reads best.
      const likeness = shared + (first.text === wanted[0]?.text ? 0.5 : 0);
      if (shared < wanted.length * LEAST_SHARED || likeness <= most) continue;
      most = likeness;
      nearest = { file, start: first.start, end: last.end };
    }
  }
  return nearest;
}

interface Stretch {
  readonly first: Token;
  readonly last: Token;
  /** How many of the wanted tokens are among these. */
  readonly shared: number;
}

/** Every stretch of as many tokens as are wanted. */
function* stretches(tokens: readonly Token[], wanted: readonly Token[]): Generator<Stretch> {
  const lacking = new Map<string, number>();
  for (const { text } of wanted) lacking.set(text, (lacking.get(text) ?? 0) + 1);
  let shared = 0;
  for (const [index, last] of tokens.entries()) {
    const left = lacking.get(last.text);
    if (left !== undefined) {
      if (left > 0) shared += 1;
      lacking.set(last.text, left - 1);
    }
    const first = tokens[index - wanted.length + 1];
    if (first === undefined) continue;
    yield { first, last, shared };
    const freed = lacking.get(first.text);
    if (freed === undefined) continue;
    if (freed >= 0) shared -= 1;
    lacking.set(first.text, freed + 1);
  }
}

/** `file:line` of a place in the program as it is written. */
export function placeOf({ file, start }: Span): string {
  return `${file.name}:${file.text.slice(0, start).split("\n").length}`;
}

/** What an edit's text needs: a name that some file of the reference exports, or `name from package`. */
interface Import {
  /** What stands between the braces. */
  readonly specifier: string;
  /** The name that it gets in the file. */
  readonly name: string;
  readonly from?: string;
}

/** The file's text, with an import in front of it of each name that it does not import or declare already. */
export function withImports(sources: Sources, file: string, imports: Iterable<string>): string {
  const text = sources.get(file) ?? "";
  const lines = [...imports].map(parse).flatMap(({ specifier, name, from }) => {
    const exporter = from === undefined ? exporterOf(sources, name) : undefined;
    if (isImported(text, name) || exporter === file) return [];
    return `import { ${specifier} } from "${from ?? `./${exporter}`}";\n`;
  });
  return lines.join("") + text;
}

/** Of these imports, the names that no file exports and that name no package. */
export function unknownNames(sources: Sources, imports: readonly string[]): readonly string[] {
  const missing = imports.map(parse).filter(({ name, from }) => {
    return from === undefined && exporterOf(sources, name) === undefined;
  });
  return missing.map(({ name }) => name);
}

function parse(text: string): Import {
  const [specifier = "", from] = text.split(" from ");
  const name = specifier.split(" ").at(-1) ?? "";
  return { specifier, name, ...(from === undefined ? {} : { from }) };
}

function exporterOf(sources: Sources, name: string): string | undefined {
  const exported = new RegExp(`\\bexport\\s+(?:const|let|function|class|interface|type)\\s+${name}\\b`);
  return [...sources].find(([, text]) => exported.test(text))?.[0];
}

function isImported(text: string, name: string): boolean {
  const clauses = [...text.matchAll(/\bimport\b([^;"']*)\bfrom\b/g)].map(([, clause = ""]) => clause);
  return clauses.some((clause) => new RegExp(`\\b${name}\\b`).test(clause));
}
