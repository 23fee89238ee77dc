import type { PropertyOutcome } from "../contract.ts";
import { runLabel } from "../play/run-label.ts";
import { mentions } from "../vectors/template.ts";
import type { Step, Template } from "../vectors/vector.ts";
import { stepsOf } from "./commands.ts";
import { playSequence, type SequenceStage } from "./play-sequence.ts";
import { reportSequence } from "./report-sequence.ts";
import type { RoundSet, SequenceRunner } from "./sequence-runner.ts";
import { shorten } from "./shorten.ts";

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
  const { timekeeping } = stage.stage.measured;
  const label = runLabel(stage.stage);
  const alone = await report(set.alone(last), {
    name,
    stage,
    stepsOf: (commands) => stepsOf(commands, set, timekeeping, label),
    simpler: (command) => set.simpler(command),
  });
  if (alone !== undefined) return alone;
  const inContext = await report(recent, { name, stage, stepsOf: selfContained, simpler: () => [] });
  return inContext ?? unexplained(name, last.length, set.writing.anyRule);
}

interface Explaining<Item> {
  readonly name: string;
  readonly stage: SequenceStage;
  readonly stepsOf: (items: readonly Item[]) => readonly Step[];
  readonly simpler: (item: Item) => readonly Item[];
}

/** The report on the shortest of these lists that shows what is wrong; undefined where the whole shows nothing. */
async function report<Item>(
  items: readonly Item[],
  { name, stage, stepsOf: toSteps, simpler }: Explaining<Item>,
): Promise<PropertyOutcome | undefined> {
  const clock = "between-seconds";
  const least = await shorten(items, {
    play: (tried, look) => playSequence(toSteps(tried), clock, stage, look),
    simpler,
  });
  if (least === undefined) return undefined;
  return reportSequence({ name, steps: toSteps(least.items), clock, run: least.run }, stage);
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
