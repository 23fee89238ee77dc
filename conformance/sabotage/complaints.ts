import type { BrokenEntry, LegalEntry } from "./entry.ts";
import { type BrokenOutcome, type LegalOutcome, unexpectedChoices } from "./judge-entry.ts";

/** What is wrong with the outcome of a broken service: nothing where each of its rules was seen to fail. */
export function complaintsAboutBroken(
  entry: BrokenEntry,
  outcome: BrokenOutcome | undefined,
): readonly string[] {
  if (outcome === undefined) return ["was not judged"];
  if (outcome.fault !== undefined) return [`broke down: ${outcome.fault}`];
  const survived = entry.breaks.filter((rule) => (outcome.caughtBy[rule] ?? []).length === 0);
  if (survived.length === 0) return [];
  const others = (outcome.insteadBroken ?? []).filter((rule) => !entry.breaks.includes(rule));
  const instead = others.length === 0 ? "nothing else failed" : `what failed instead: ${others.join(", ")}`;
  return [`survives ${survived.join(", ")}; ${instead}`];
}

/** What is wrong with the outcome of a legal service: nothing where it conforms, and chooses as the entry says. */
export function complaintsAboutLegal(
  entry: LegalEntry,
  outcome: LegalOutcome | undefined,
): readonly string[] {
  if (outcome === undefined) return ["was not judged"];
  return outcome.conforms ? unexpectedChoices(entry, outcome.choices) : outcome.complaints;
}

/** What is wrong with a combination: only that it does not conform, since one choice may hide another. */
export function complaintsAboutCombination(outcome: LegalOutcome | undefined): readonly string[] {
  if (outcome === undefined) return ["was not judged"];
  return outcome.conforms ? [] : outcome.complaints;
}
