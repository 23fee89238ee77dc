import fc from "fast-check";
import type { Action } from "../../contract/commands/action.ts";
import { actionSequence } from "../../contract/commands/action-sequence.ts";
import { scriptOf } from "../../contract/commands/script.ts";
import { simplerAction } from "../../contract/commands/simpler-action.ts";
import { simplerStep } from "../../contract/commands/simpler-step.ts";
import type { ClockStart, Step } from "../vectors/vector.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import { minimise } from "./minimise.ts";
import { playSequence, type SequenceRun, type SequenceStage, sequenceStage } from "./play-sequence.ts";
import type { Property, PropertyOutcome, PropertyRun } from "./property.ts";
import { reportSequence } from "./report-sequence.ts";
import type { FailedSequence } from "./write-vector.ts";

/** The first is the usual one, to which a failing case goes back. */
const CLOCKS = ["between-seconds", "between-seconds", "whole-minute", "whole-second"] as const;

/** A random sequence: where the clock stands at its start, and what is done. */
interface Case {
  readonly clock: ClockStart;
  readonly actions: readonly Action[];
}

/** Random sequences of all that clients do, every answer judged by the model. */
export const stateful: Property = {
  name: "stateful",
  title: "every answer in a random sequence of requests, waits and restarts is one that the contract allows",
  rules: ["CHALLENGE-24", "SESSION-6", "SESSION-8", "IDEMPOTENCY-5", "IDEMPOTENCY-16", "LIMIT-10"],
  needs: ["virtual-clock", "restart", "rawBody"],
  // Few and long: a fault may wait for several things to have happened in one sequence.
  perRun: 0.4,
  async check(run: PropertyRun): Promise<PropertyOutcome> {
    const stage = sequenceStage(run.stage, run.connection, "property/stateful", run.cases.from);
    const seen: SequenceRun[] = [];
    const property = fc.asyncProperty(cases, async (tried) => {
      const shown = await playCase(tried, stage);
      seen.push(shown);
      return shown.violation === undefined;
    });
    const details = await fc.check(property, { ...drawCases("stateful", run), endOnFailure: true });
    const tried = details.numRuns;
    const [failed] = details.counterexample ?? [];
    if (failed === undefined) return { tried, trace: [], ...distinctSeen(seen) };
    const found = await shrink(failed, stage);
    return { tried, ...reportSequence(found, run.stage.contract), ...distinctSeen([...seen, found.run]) };
  },
};

const cases: fc.Arbitrary<Case> = fc.record({
  clock: fc.constantFrom(...CLOCKS),
  actions: actionSequence,
});

function stepsOf({ actions }: Case, { stage }: SequenceStage): readonly Step[] {
  return scriptOf(actions, stage.resolutionMs > 1 ? stage.resolutionMs : 0);
}

function playCase(tried: Case, stage: SequenceStage): Promise<SequenceRun> {
  return playSequence(stepsOf(tried, stage), tried.clock, stage);
}

/** The shortest sequence that breaks the same rule: of the actions first, and then of the steps that they stand for. */
async function shrink(failed: Case, stage: SequenceStage): Promise<FailedSequence> {
  const rule = (await playCase(failed, stage)).violation?.rules[0];
  const breaks = async (tried: Promise<SequenceRun>) => (await tried).violation?.rules[0] === rule;
  let { clock } = failed;
  const actions = await minimise(
    failed.actions,
    (shorter) => breaks(playCase({ clock, actions: shorter }, stage)),
    simplerAction,
  );
  if (await breaks(playCase({ clock: CLOCKS[0], actions }, stage))) clock = CLOCKS[0];
  const steps = await minimise(
    stepsOf({ clock, actions }, stage),
    (shorter) => breaks(playSequence(shorter, clock, stage)),
    simplerStep,
  );
  return { name: "stateful", steps, clock, run: await playSequence(steps, clock, stage) };
}
