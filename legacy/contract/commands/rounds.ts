import type { Round, Sequence } from "../../engine/search/sequence-runner.ts";
import { BUILDS_PER_MINUTE } from "../operations.ts";
import type { Command } from "./command.ts";

/** So many go through their first part well within an hour. */
const MOST_SEQUENCES = 8;

/** The same sequences, those that can share what ends their sessions in one round; always the same rounds. */
export function roundsOf(sequences: readonly Sequence<Command>[]): readonly Round<Command>[] {
  const done: Round<Command>[] = [];
  const open = new Map<string, Sequence<Command>[]>();
  for (const sequence of sequences) {
    const kind = sharedEnd(sequence);
    if (kind === undefined) {
      done.push([sequence]);
      continue;
    }
    const round = open.get(kind) ?? [];
    if (round.length > 0 && !fits([...round, sequence])) {
      done.push(round);
      open.set(kind, [sequence]);
    } else open.set(kind, [...round, sequence]);
  }
  return [...done, ...open.values()];
}

/** Whether a command ends all sessions: a restart, or a wait for the end of one. What ends them costs new ones. */
export function endsSessions(command: Command): boolean {
  return command.do === "restart" || (command.do === "wait" && command.since === "session");
}

/** Whether a sequence waits for the end of a session: then the parts before it need a minute of their own each. */
export function isOfHour(sequence: Sequence<Command>): boolean {
  return sequence.some((command) => command.do === "wait" && endsSessions(command));
}

/** The commands of a sequence between those that end sessions. */
function partsOf(sequence: Sequence<Command>): readonly Sequence<Command>[] {
  const parts: Command[][] = [[]];
  for (const command of sequence) {
    if (endsSessions(command)) parts.push([]);
    else parts.at(-1)?.push(command);
  }
  return parts;
}

/** What sequences that share an end have in common; undefined for one that has to be played by itself. */
function sharedEnd(sequence: Sequence<Command>): string | undefined {
  if (sequence.some((command) => command.do === "verify")) return undefined;
  const ends = sequence.filter(endsSessions);
  const waits = sequence.filter((command) => command.do === "wait");
  const restarts = ends.length === 1 && waits.length === 0;
  const hours = ends.length > 0 && ends.every((command) => command.do === "wait");
  return restarts || hours ? JSON.stringify(ends) : undefined;
}

/** Whether the parts around what is shared have no more new builds than one minute has room for, whoever makes them. */
function fits(round: Round<Command>): boolean {
  const parts = round.map(partsOf);
  const crowded = (part: number) =>
    parts.reduce((sum, sequence) => sum + buildsIn(sequence[part] ?? []), 0) > BUILDS_PER_MINUTE;
  const together = isOfHour(round[0] ?? []) ? [1, 2] : [0, 1];
  return round.length <= MOST_SEQUENCES && !together.some(crowded);
}

/** What a sequence may be counted for; its final probes are over before that matters to another. */
function buildsIn(sequence: Sequence<Command>): number {
  const keys = new Set<string>();
  let builds = 0;
  for (const command of sequence) {
    if (command.do === "build" && command.key !== 0) keys.add(`${command.who} ${command.key}`);
    else if (command.do === "build" || (command.do === "invalid" && command.key !== 0)) builds += 1;
  }
  return builds + keys.size;
}
