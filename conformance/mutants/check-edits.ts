import { faultsOfEdits } from "./apply-edits.ts";
import type { Bank } from "./entry.ts";
import type { Program } from "./reference-program.ts";

/** One line for each edit of the bank that does not apply to the program: where it is, whose, and what it looks for. */
export function checkEdits(bank: Bank, program: Program): readonly string[] {
  return [...bank.broken, ...bank.legal].flatMap(({ id, edits }) =>
    faultsOfEdits(program, edits).map(({ where, message }) => `${where}: ${id}: ${message}`),
  );
}
