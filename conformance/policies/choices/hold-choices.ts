import { type Choice, NOT_SEEN } from "../../engine/run/choices.ts";
import type { SavedChoices, SeenIn } from "./saved-choices.ts";

/** A point of which an implementation was seen to take another reading than before. */
export interface ChangedChoice {
  readonly point: string;
  readonly was: string;
  readonly observed: string;
}

/** How the choices of a run compare with those that the implementation is held to. */
export interface HeldChoices {
  readonly file: string;
  /** They fail the run. */
  readonly changed: readonly ChangedChoice[];
  /** Points that the file says nothing about: told, and no failure, as there is nothing to hold them to. */
  readonly added: readonly string[];
  /** Points of the file that nothing showed this time: told, and no failure. */
  readonly unseen: readonly string[];
  /** Whether the file was written by a run that looked at the same. */
  readonly sameRun: boolean;
}

/**
 * Holds observed choices to earlier ones. A reading that the file does not name is a change; that one which it names
 * was not seen again is a change only in a run that looked at the same.
 */
export function holdChoices(saved: SavedChoices, choices: readonly Choice[], run: SeenIn): HeldChoices {
  const { seen } = saved;
  const sameRun =
    seen?.suite === run.suite &&
    seen.seed === run.seed &&
    seen.runs === run.runs &&
    seen.executed === run.executed;
  const changed: ChangedChoice[] = [];
  const added: string[] = [];
  const unseen: string[] = [];
  for (const { point, observed } of choices) {
    const was = saved.choices.get(point);
    if (observed === NOT_SEEN) {
      if (was !== undefined) unseen.push(point);
    } else if (was === undefined) added.push(point);
    else if (differs(was, observed, sameRun)) changed.push({ point, was, observed });
  }
  return { file: saved.file, changed, added, unseen, sameRun };
}

function differs(was: string, observed: string, sameRun: boolean): boolean {
  const earlier = new Set(was.split(" | "));
  const now = observed.split(" | ");
  return now.some((reading) => !earlier.has(reading)) || (sameRun && now.length < earlier.size);
}
