import type { PropertyOutcome } from "../property.ts";
import { minimise } from "../sequence/minimise.ts";
import { playSequence, type SequenceStage } from "../sequence/play-sequence.ts";
import { reportSequence } from "../sequence/report-sequence.ts";
import type { Letter } from "./alphabet.ts";
import { letterSteps } from "./letter-steps.ts";

/** How many sequences before the failing one may have had a part in it. */
const MOST_BEFORE = 64;
const NAME = "exhaustive";

/**
 * Plays a failing sequence again by itself, step by step, and reports the shortest that breaks a rule. Where it fails
 * only after others, those are put before it.
 * @param tried sequences in the order in which they were tried; the last one failed
 */
export async function explain(
  tried: readonly (readonly Letter[])[],
  stage: SequenceStage,
): Promise<PropertyOutcome> {
  const play = (letters: readonly Letter[]) => playSequence(letterSteps(letters), "between-seconds", stage);
  for (let before = 0; before <= MOST_BEFORE; before = before === 0 ? 1 : before * 2) {
    const letters = tried.slice(-1 - before).flat();
    const rule = (await play(letters)).violation?.rules[0];
    if (rule === undefined) continue;
    const fails = async (shorter: readonly Letter[]) => (await play(shorter)).violation?.rules[0] === rule;
    const shortest = await minimise(letters, fails, simplerLetter);
    const run = await play(shortest);
    return reportSequence(
      { name: NAME, steps: letterSteps(shortest), clock: "between-seconds", run },
      stage.stage.contract,
    );
  }
  return unexplained(tried.at(-1) ?? []);
}

/** The first creator, key and input say as much as the second. */
function simplerLetter(letter: Letter): readonly Letter[] {
  if (letter.kind !== "build") return [];
  const simpler: readonly Letter[] = [
    { ...letter, who: "alice" },
    { ...letter, key: 1 },
    { ...letter, input: 1 },
  ];
  return simpler.filter((other) => JSON.stringify(other) !== JSON.stringify(letter));
}

/** The answer came once and never again: that is all that can be said. */
function unexplained(letters: readonly Letter[]): PropertyOutcome {
  const place = { file: `property/${NAME}`, line: 1 };
  const expected = "an answer that the contract allows, each time";
  const got = "another one in the course of the search, and not when the sequence was played by itself";
  const failure = {
    rule: "SERVICE-1",
    rules: ["SERVICE-1"],
    message: `a sequence of ${letters.length} letters failed once: ${letters.map(({ kind }) => kind).join(", ")}`,
    step: String(letters.length),
    place,
    clockMs: 0,
    expected,
    got,
    differences: [{ path: "sequence", expected, got }],
  };
  return { failure, trace: [], observations: [], advice: [] };
}
