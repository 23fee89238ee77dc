import type { GeneratedMutant } from "./generate.ts";
import type { MutantOutcome } from "./judge-mutant.ts";
import { keyOf, type Reason, type Reasons } from "./reasons.ts";

/** A mutant that was judged. */
export interface JudgedMutant extends GeneratedMutant {
  readonly outcome: MutantOutcome;
}

/** What came of a run over mutants: what to print, the numbers to keep, and whether every survivor is explained. */
export interface MutationSummary {
  readonly text: string;
  readonly score: Score;
  readonly good: boolean;
}

/** How many mutants there were, and what became of them. */
export interface Score {
  readonly mutants: number;
  readonly killed: number;
  /** Could not be driven, so that no run of the kit passes them. */
  readonly broke: number;
  readonly survivedAsLegal: number;
  readonly survivedAsEquivalent: number;
  readonly survivedUnexplained: number;
}

/**
 * Sets what survived against the reasons for it.
 * @param reasons those of the files that were judged
 */
export function mutationSummary(judged: readonly JudgedMutant[], reasons: Reasons): MutationSummary {
  const survivors = judged.filter(
    ({ outcome }) => outcome.fate === "survived" || outcome.fate === "undecided",
  );
  const explained = survivors.map((mutant) => ({ mutant, reason: reasons.get(keyOf(mutant.change)) }));
  const unexplained = explained.filter(({ reason }) => reason === undefined).map(({ mutant }) => mutant);
  const needed = new Set(survivors.map(({ change }) => keyOf(change)));
  const needless = [...reasons.keys()].filter((key) => !needed.has(key));
  const count = (kind: Reason["kind"]) => explained.filter(({ reason }) => reason?.kind === kind).length;
  const fates = (fate: string) => judged.filter(({ outcome }) => outcome.fate === fate).length;
  const score = {
    mutants: judged.length,
    killed: fates("killed"),
    broke: fates("broke"),
    survivedAsLegal: count("legal"),
    survivedAsEquivalent: count("equivalent"),
    survivedUnexplained: unexplained.length,
  };
  const lines = [
    ...explained.flatMap(({ mutant, reason }) =>
      reason === undefined ? [] : [`${placeOf(mutant)}\n  ${reason.kind}: ${reason.why}`],
    ),
    ...unexplained.map(
      (mutant) =>
        `${placeOf(mutant)}\n  no reason in survivors.yaml; it is known there by\n  ${entryOf(mutant)}`,
    ),
    ...needless.map((key) => `survivors.yaml has a reason for what does not survive: ${key}`),
    scoreText(score),
  ];
  return { text: lines.join("\n"), score, good: unexplained.length === 0 && needless.length === 0 };
}

function placeOf({ file, line, change: { was, now }, outcome: { fate } }: JudgedMutant): string {
  return `reference/${file}:${line}  ${fate}  ${was}  =>  ${now}`;
}

function entryOf({ change }: JudgedMutant): string {
  const { file, in: line, was, now } = change;
  return `- ${JSON.stringify({ file, in: line, was, now })}`;
}

function scoreText(score: Score): string {
  const { mutants, killed, broke, survivedAsLegal, survivedAsEquivalent, survivedUnexplained } = score;
  const wrong = mutants - survivedAsLegal - survivedAsEquivalent;
  return [
    `${killed + broke} of ${mutants} mutants do not pass: ${killed} killed, ${broke} that could not be driven`,
    `${survivedAsLegal} survive as legal, ${survivedAsEquivalent} as equivalent, ${survivedUnexplained} unexplained`,
    `${killed + broke} of ${wrong} wrong mutants do not pass`,
  ].join("\n");
}
