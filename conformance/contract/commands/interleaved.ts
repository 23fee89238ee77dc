import { isOfHour, type Round, rounds, type Sequence } from "./rounds.ts";

/**
 * The same sequences in an order that needs few sessions: those without bob, then those with him, and in either half
 * those that restart the service, and so leave it without sessions, by turns with those that wait until a session has
 * ended. Always the same order for the same sequences.
 */
export function interleaved(sequences: Iterable<Sequence>): readonly Round[] {
  const halves: [Sequence[], Sequence[]] = [[], []];
  for (const letters of sequences) halves[isBobs(letters) ? 1 : 0].push(letters);
  return halves.flatMap(byTurns);
}

/** The sequences of each kind, spread evenly among those of the others. */
function byTurns(sequences: readonly Sequence[]): readonly Round[] {
  const kinds: [Sequence[], Sequence[], Sequence[]] = [[], [], []];
  for (const letters of sequences) kinds[kindOf(letters)].push(letters);
  return kinds
    .map(rounds)
    .flatMap((kind) => kind.map((round, index) => ({ round, at: (index + 0.5) / kind.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ round }) => round);
}

function isBobs(letters: Sequence): boolean {
  return letters.some((letter) => letter.kind === "build" && letter.who === "bob");
}

function kindOf(letters: Sequence): 0 | 1 | 2 {
  if (letters.some(({ kind }) => kind === "restart")) return 0;
  return isOfHour(letters) ? 1 : 2;
}
