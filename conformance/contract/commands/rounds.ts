import { LIMIT } from "../model/rate-explanations.ts";
import { type Letter, LIMITS } from "./alphabet.ts";
import { SPENT } from "./letter-steps.ts";

export type Sequence = readonly Letter[];

/**
 * Sequences that are played side by side, since what ends all sessions costs new ones: a restart, or the hour. Each
 * goes up to there by itself, then it happens to all at once, and then each goes on.
 */
export type Round = readonly Sequence[];

/** So many go through their first part well within an hour. */
const MOST_SEQUENCES = 8;

/** The same sequences, those that can share what ends their sessions in one round; always the same rounds. */
export function rounds(sequences: readonly Sequence[]): readonly Round[] {
  const done: Round[] = [];
  const open = new Map<string, Sequence[]>();
  for (const letters of sequences) {
    const kind = sharedEnd(letters);
    if (kind === undefined) {
      done.push([letters]);
      continue;
    }
    const round = open.get(kind) ?? [];
    if (round.length > 0 && !fits([...round, letters])) {
      done.push(round);
      open.set(kind, [letters]);
    } else open.set(kind, [...round, letters]);
  }
  return [...done, ...open.values()];
}

/** The letters between those that end sessions, and those letters themselves. */
export interface Parts {
  readonly ends: readonly Letter[];
  /** One more than there are ends; may be empty. */
  readonly between: readonly Sequence[];
}

/** Takes a sequence apart at the letters that end sessions. */
export function partsOf(letters: Sequence): Parts {
  const between: Letter[][] = [[]];
  const ends: Letter[] = [];
  for (const letter of letters) {
    if (endsSessions(letter)) {
      ends.push(letter);
      between.push([]);
    } else between.at(-1)?.push(letter);
  }
  return { ends, between };
}

/** Whether the parts before the first end need a minute of their own each: what an hour ends, nothing else ties together. */
export function isOfHour(letters: Sequence): boolean {
  return letters.some((letter) => letter.kind === "wait" && endsSessions(letter));
}

function endsSessions(letter: Letter): boolean {
  return letter.kind === "restart" || (letter.kind === "wait" && LIMITS[letter.limit]?.of === "session");
}

/** What sequences that share an end have in common; undefined for one that has to be played by itself. */
function sharedEnd(letters: Sequence): string | undefined {
  if (letters.some(({ kind }) => kind === "prove")) return undefined;
  const { ends } = partsOf(letters);
  const waits = letters.filter(({ kind }) => kind === "wait");
  const restarts = ends.length === 1 && waits.length === 0;
  const hours = ends.length > 0 && ends.every(({ kind }) => kind === "wait");
  return restarts || hours ? JSON.stringify(ends) : undefined;
}

/** Whether the parts around what is shared have no more new builds than one minute has room for, whoever makes them. */
function fits(round: Round): boolean {
  const parts = round.map(partsOf);
  const crowded = (part: number) =>
    parts.reduce((sum, { between }) => sum + buildsIn(between[part] ?? []), 0) > LIMIT;
  const together = isOfHour(round[0] ?? []) ? [1, 2] : [0, 1];
  return round.length <= MOST_SEQUENCES && !together.some(crowded);
}

function buildsIn(letters: Sequence): number {
  const keys = new Set<string>();
  let builds = 0;
  for (const letter of letters) {
    if (letter.kind === "spend") builds += SPENT;
    else if (letter.kind === "stale" || letter.kind === "invalid") builds += 1;
    else if (letter.kind === "build") keys.add(`${letter.who} ${letter.key}`);
  }
  return builds + keys.size;
}
