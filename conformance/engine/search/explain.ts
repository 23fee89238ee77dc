import type { PropertyOutcome } from "../contract.ts";
import { runLabel } from "../play/run-label.ts";
import { mentions } from "../vectors/template.ts";
import type { Step, Template } from "../vectors/vector.ts";
import { stepsOf } from "./commands.ts";
import { minimise } from "./minimise.ts";
import { playSequence, type SequenceStage } from "./play-sequence.ts";
import { reportSequence } from "./report-sequence.ts";
import type { RoundSet, SequenceRunner } from "./sequence-runner.ts";

/**
 * Plays what failed again, each answer looked at closely, and reports the shortest that breaks a rule: the failing
 * sequence by itself, or where that shows nothing, what was done to the service of late.
 */
export async function explain<Command>(
  name: string,
  { last, recent }: SequenceRunner<Command>,
  set: RoundSet<Command>,
  stage: SequenceStage,
): Promise<PropertyOutcome> {
  const { timekeeping } = stage.stage;
  const label = runLabel(stage.stage);
  const search = { name, stage };
  const alone = await shortest(set.alone(last), {
    ...search,
    stepsOf: (commands) => stepsOf(commands, set, timekeeping, label),
    simpler: (command) => set.simpler(command),
  });
  if (alone !== undefined) return alone;
  const inContext = await shortest(recent, { ...search, stepsOf: selfContained, simpler: () => [] });
  return inContext ?? unexplained(name, last.length, set.writing.anyRule);
}

interface Shortening<Item> {
  readonly name: string;
  readonly stage: SequenceStage;
  readonly stepsOf: (items: readonly Item[]) => readonly Step[];
  readonly simpler: (item: Item) => readonly Item[];
}

/** The report on the shortest of these lists that breaks the rule which the whole breaks; undefined where it breaks none. */
async function shortest<Item>(
  items: readonly Item[],
  { name, stage, stepsOf: toSteps, simpler }: Shortening<Item>,
): Promise<PropertyOutcome | undefined> {
  const clock = "between-seconds";
  const play = (tried: readonly Item[]) => playSequence(toSteps(tried), clock, stage);
  const rule = (await play(items)).violation?.rules[0];
  if (rule === undefined) return undefined;
  const fails = async (tried: readonly Item[]) => (await play(tried)).violation?.rules[0] === rule;
  const least = await minimise(items, fails, simpler);
  return reportSequence({ name, steps: toSteps(least), clock, run: await play(least) }, stage);
}

/** The steps but for those that refer to one that is not among them. */
function selfContained(steps: readonly Step[]): readonly Step[] {
  const named = new Set<string>();
  return steps.filter((step) => {
    const refers = referencesOf(step).every((name) => named.has(name) || !/\d$/.test(name));
    if (refers && step.as !== undefined) named.add(step.as);
    return refers;
  });
}

/** The names that a step mentions; those of steps end in their number. */
function referencesOf(step: Step): readonly string[] {
  const template: Template =
    step.kind === "operation" ? step.fields : step.kind === "advance" ? step.advance : null;
  return mentions(template).map(({ name }) => name);
}

/** The answer came once and never again: that is all that can be said. */
function unexplained(name: string, commands: number, rule: string): PropertyOutcome {
  const expected = "an answer that the contract allows, each time";
  const got = "another one in the course of the search, and not when the sequence was played by itself";
  const failure = {
    rule,
    rules: [rule],
    message: `a sequence of ${commands} commands failed once`,
    step: String(commands),
    place: { file: `property/${name}`, line: 1 },
    clockMs: 0,
    expected,
    got,
    differences: [{ path: "sequence", expected, got }],
  };
  return { failure, trace: [], observations: [], advice: [] };
}
