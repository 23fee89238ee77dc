import type { Letter } from "./alphabet.ts";
import { LIMITS } from "./alphabet.ts";

/**
 * The same sequences in an order that needs few sessions: those that restart the service, and so leave it with new
 * sessions, take turns with those that wait until a session has ended. Always the same order for the same sequences.
 */
export function interleaved(sequences: Iterable<readonly Letter[]>): readonly (readonly Letter[])[] {
  const groups: (readonly Letter[])[][] = [[], [], []];
  for (const letters of sequences) groups[groupOf(letters)]?.push(letters);
  return groups
    .flatMap((group) => group.map((letters, index) => ({ letters, at: (index + 0.5) / group.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ letters }) => letters);
}

function groupOf(letters: readonly Letter[]): number {
  if (letters.some(({ kind }) => kind === "restart")) return 0;
  return letters.some((letter) => letter.kind === "wait" && LIMITS[letter.limit]?.of === "session") ? 1 : 2;
}
