import type { Letter } from "../../contract/commands/alphabet.ts";
import { type Deed, deedSteps } from "../../contract/commands/deed.ts";
import { letterSteps } from "../../contract/commands/letter-steps.ts";
import type { Sequence } from "../../contract/commands/rounds.ts";
import type { Step } from "../vectors/vector.ts";
import { minimise } from "./minimise.ts";
import { playSequence, type SequenceStage } from "./play-sequence.ts";
import type { PropertyOutcome } from "./property.ts";
import { reportSequence } from "./report-sequence.ts";

const NAME = "exhaustive";

/**
 * Plays what failed again, step by step, and reports the shortest that breaks a rule: the failing sequence by itself,
 * or where that shows nothing, all that was done of late.
 * @param deeds what was done to the service, to the last request
 */
export async function explain(
  failed: Sequence,
  deeds: readonly Deed[],
  stage: SequenceStage,
): Promise<PropertyOutcome> {
  return (
    (await shortest(failed, letterSteps, simplerLetter, stage)) ??
    (await shortest(deeds, deedSteps, simplerDeed, stage)) ??
    unexplained(failed)
  );
}

/** The report on the shortest of these lists that breaks the rule which the whole breaks; undefined where it breaks none. */
async function shortest<Item>(
  items: readonly Item[],
  stepsOf: (items: readonly Item[]) => readonly Step[],
  simpler: (item: Item) => readonly Item[],
  stage: SequenceStage,
): Promise<PropertyOutcome | undefined> {
  const play = (tried: readonly Item[]) => playSequence(stepsOf(tried), "between-seconds", stage);
  const rule = (await play(items)).violation?.rules[0];
  if (rule === undefined) return undefined;
  const fails = async (tried: readonly Item[]) => (await play(tried)).violation?.rules[0] === rule;
  const least = await minimise(items, fails, simpler);
  const run = await play(least);
  return reportSequence(
    { name: NAME, steps: stepsOf(least), clock: "between-seconds", run },
    stage.stage.contract,
  );
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

/** The usual input says as much as another, and the last session as much as a named one. */
function simplerDeed(deed: Deed): readonly Deed[] {
  if (deed.do !== "build") return [];
  const { session, ...unnamed } = deed;
  return [
    ...(deed.input === 1 ? [] : [{ ...deed, input: 1 as const }]),
    ...(session === undefined ? [] : [unnamed]),
  ];
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
