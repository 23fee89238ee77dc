import { faultsOfEdits } from "./apply-edits.ts";
import type { PlacedEdit } from "./entry.ts";
import type { Program } from "./reference-program.ts";

interface Edited {
  readonly id: string;
  readonly edits: readonly PlacedEdit[];
}

/** A bank, as far as its edits go. */
interface EditedBank {
  readonly broken: readonly Edited[];
  readonly legal: readonly Edited[];
}

/** One line for each edit of the bank that does not apply to the program: where it is, whose, and what it looks for. */
export function checkEdits(bank: EditedBank, program: Program): readonly string[] {
  return [...bank.broken, ...bank.legal].flatMap(({ id, edits }) =>
    faultsOfEdits(program, edits).map(({ where, message }) => `${where}: ${id}: ${message}`),
  );
}
