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
  const { allBroken = [] } = outcome;
  const late = survived.filter((rule) => allBroken.includes(rule));
  const never = survived.filter((rule) => !allBroken.includes(rule));
  const others = allBroken.filter((rule) => !entry.breaks.includes(rule)).join(", ");
  return [
    ...needless(entry, outcome),
    ...late.map((rule) => `${rule} fails only in vectors that do not name it`),
    ...never.map(
      (rule) => `survives ${rule}; ${others === "" ? "nothing else failed" : `instead failed ${others}`}`,
    ),
  ];
}

/** An entry that names a property shows what no vector sees: where one does, it says nothing about the property. */
function needless({ property }: BrokenEntry, { caughtBy }: BrokenOutcome): readonly string[] {
  const vectors = Object.values(caughtBy).flatMap((checks) => checks.filter((check) => check !== property));
  return property === undefined || vectors.length === 0
    ? []
    : [`needs no ${property}: ${vectors[0]} sees it`];
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
