import type { Round, Sequence } from "../../engine/search/sequence-runner.ts";
import type { Command } from "./command.ts";
import { isOfHour, roundsOf } from "./rounds.ts";

/**
 * The same sequences in an order that needs few sessions: those without bob, then those with him, and in either half
 * those that restart the service, and so leave it without sessions, by turns with those that wait until a session has
 * ended. Those with a proof come last: a proof may open a session of its own, which is no use to the others. Always the
 * same order for the same sequences.
 */
export function interleaved(sequences: Iterable<Sequence<Command>>): readonly Round<Command>[] {
  const groups: [Sequence<Command>[], Sequence<Command>[], Sequence<Command>[]] = [[], [], []];
  for (const sequence of sequences) groups[hasProof(sequence) ? 2 : isBobs(sequence) ? 1 : 0].push(sequence);
  return groups.flatMap(byTurns);
}

/** The sequences of each kind, spread evenly among those of the others. */
function byTurns(sequences: readonly Sequence<Command>[]): readonly Round<Command>[] {
  const kinds: [Sequence<Command>[], Sequence<Command>[], Sequence<Command>[]] = [[], [], []];
  for (const sequence of sequences) kinds[kindOf(sequence)].push(sequence);
  return kinds
    .map(roundsOf)
    .flatMap((kind) => kind.map((round, index) => ({ round, at: (index + 0.5) / kind.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ round }) => round);
}

function hasProof(sequence: Sequence<Command>): boolean {
  return sequence.some((command) => command.do === "verify");
}

function isBobs(sequence: Sequence<Command>): boolean {
  return sequence.some((command) => command.do === "build" && command.who === "bob");
}

function kindOf(sequence: Sequence<Command>): 0 | 1 | 2 {
  if (sequence.some((command) => command.do === "restart")) return 0;
  return isOfHour(sequence) ? 1 : 2;
}
