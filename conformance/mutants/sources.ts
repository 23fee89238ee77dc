import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DataError } from "../engine/data/data-error.ts";
import { PATHS } from "../paths.ts";
import type { PlacedEdit } from "./entry.ts";

/** The source of a service: file name to text. */
export type Sources = ReadonlyMap<string, string>;

/** The source of the bundled reference, without its tests. */
export function referenceSources(): Sources {
  const folder = dirname(PATHS.reference);
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/**
 * The sources with every edit made. All edits refer to the sources as given, never to each other's outcome.
 * @throws {DataError} with the edit's file:line, where its text does not occur exactly once or two edits touch one text
 */
export function applyEdits(sources: Sources, edits: readonly PlacedEdit[]): Sources {
  const edited = new Map(sources);
  for (const [name, spans] of spansByFile(sources, edits)) {
    let text = sources.get(name) ?? "";
    for (const { start, end, edit } of spans.reverse()) {
      text = text.slice(0, start) + edit.with + text.slice(end);
    }
    edited.set(name, text);
  }
  return edited;
}

/** Whether any of these edits touch the same text. @throws {DataError} where one does not apply at all */
export function overlap(sources: Sources, edits: readonly PlacedEdit[]): boolean {
  const spans = edits.map((edit) => spanOf(sources, edit));
  return spans.some((one, index) => spans.slice(index + 1).some((other) => meet(one, other)));
}

interface Span {
  readonly edit: PlacedEdit;
  readonly start: number;
  readonly end: number;
}

function spansByFile(sources: Sources, edits: readonly PlacedEdit[]): ReadonlyMap<string, Span[]> {
  const byFile = new Map<string, Span[]>();
  for (const edit of edits) {
    const span = spanOf(sources, edit);
    const others = byFile.get(edit.in) ?? [];
    if (others.some((other) => meet(span, other))) throw fault(edit, "another edit touches the same text");
    byFile.set(edit.in, [...others, span]);
  }
  for (const spans of byFile.values()) spans.sort((a, b) => a.start - b.start);
  return byFile;
}

function spanOf(sources: Sources, edit: PlacedEdit): Span {
  const text = sources.get(edit.in);
  if (text === undefined) throw fault(edit, `the reference has no file ${edit.in}`);
  const start = text.indexOf(edit.replace);
  if (start < 0) throw fault(edit, `${edit.in} has no such text: ${JSON.stringify(edit.replace)}`);
  if (text.includes(edit.replace, start + 1)) {
    throw fault(edit, `${edit.in} has this text more than once: ${JSON.stringify(edit.replace)}`);
  }
  return { edit, start, end: start + edit.replace.length };
}

function meet(one: Span, other: Span): boolean {
  return one.edit.in === other.edit.in && one.start < other.end && other.start < one.end;
}

function fault({ place }: PlacedEdit, message: string): DataError {
  return new DataError(`${place.file}:${place.line}`, message);
}
