import type { RuleBook } from "../engine/rule-book.ts";
import { placeOf, spansOf } from "../mutants/edits.ts";
import type { Program } from "../mutants/program.ts";
import type { ConformingVariant, Mutant, PlacedEdit } from "../mutants/suite.ts";
import { columns } from "../reports/columns.ts";
import { lines, said, statements } from "./explained.ts";

/** What the entries of a bank are edits of. */
export interface Edited {
  readonly program: Program;
  /** Where it lies, as people see it. */
  readonly folder: string;
}

type Told = "id" | "title" | "place" | "edits";

/** What a broken entry of a bank is about. */
export function explainBroken(
  { id, title, why, breaks, place, edits }: Pick<Mutant, Told | "why" | "breaks">,
  contract: RuleBook,
  edited: Edited,
): string {
  return lines([
    `${id}  ${title}: ${why}`,
    said("at", `${place.file}:${place.line}`),
    ...statements("breaks", breaks, contract),
    ...editLines(edits, edited),
  ]);
}

/** What a legal entry of a bank is about. */
export function explainLegal(
  { id, title, choices, place, edits }: Pick<ConformingVariant, Told | "choices">,
  edited: Edited,
): string {
  return lines([
    `${id}  ${title}`,
    said("at", `${place.file}:${place.line}`),
    ...columns(Object.entries(choices)).map((line) => said("chooses", line)),
    ...editLines(edits, edited),
  ]);
}

/** How the entry differs from what it is an edit of, as a diff shows it. */
function editLines(edits: readonly PlacedEdit[], { program, folder }: Edited): readonly string[] {
  return edits.flatMap((edit) => [
    ...spansOf(program, [edit]).map((span) => `  in ${folder}/${placeOf(span)}`),
    ...edit.replace.split("\n").map((line) => `    - ${line}`),
    ...edit.with.split("\n").map((line) => `    + ${line}`),
    ...(edit.imports ?? []).map((name) => `    imports ${name}`),
  ]);
}
