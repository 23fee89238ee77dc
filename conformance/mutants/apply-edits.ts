import { DataError } from "../engine/data/data-error.ts";
import type { PlacedEdit } from "./entry.ts";
import { findText, nearestText, placeOf, type Span } from "./find-text.ts";
import { unknownNames, withImports } from "./imports.ts";
import type { Program, Sources } from "./reference-program.ts";

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
