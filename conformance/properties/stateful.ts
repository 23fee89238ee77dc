import fc from "fast-check";
import type { ClockStart, Step } from "../vectors/model.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import type { Property, PropertyOutcome, PropertyRun } from "./property.ts";
import type { Action } from "./sequence/action.ts";
import { actionSequence } from "./sequence/action-arbitrary.ts";
import { minimise } from "./sequence/minimise.ts";
import {
  playSequence,
  type SequenceRun,
  type SequenceStage,
  sequenceStage,
} from "./sequence/play-sequence.ts";
import { reportSequence } from "./sequence/report-sequence.ts";
import { scriptOf } from "./sequence/script.ts";
import { simplerAction } from "./sequence/simpler-action.ts";

const LONGEST = 14;
const CLOCKS: readonly ClockStart[] = ["between-seconds", "between-seconds", "whole-minute", "whole-second"];

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
  async check(run: PropertyRun): Promise<PropertyOutcome> {
    const stage = sequenceStage(run.stage, run.connection, "property/stateful", run.cases.from);
    const play = (tried: Case) => playCase(tried, stage);
    const seen: SequenceRun[] = [];
    const property = fc.asyncProperty(cases, async (tried) => {
      const { run: shown } = await play(tried);
      seen.push(shown);
      return shown.violation === undefined;
    });
    const details = await fc.check(property, { ...drawCases("stateful", run), endOnFailure: true });
    const [failed] = details.counterexample ?? [];
    if (failed === undefined) return { trace: [], ...distinctSeen(seen) };
    const { shortest, steps, shown } = await shrink(failed, play);
    const found = { name: "stateful", steps, clock: shortest.clock, run: shown };
    return { ...reportSequence(found, run.stage.contract), ...distinctSeen([...seen, shown]) };
  },
};

const cases: fc.Arbitrary<Case> = fc.record({
  clock: fc.constantFrom(...CLOCKS),
  actions: actionSequence(LONGEST),
});

interface Played {
  readonly steps: readonly Step[];
  readonly run: SequenceRun;
}

async function playCase({ clock, actions }: Case, stage: SequenceStage): Promise<Played> {
  const { resolutionMs } = stage.stage;
  const steps = scriptOf(actions, resolutionMs > 1 ? resolutionMs : 0);
  return { steps, run: await playSequence(steps, clock, stage) };
}

/** The shortest sequence that breaks the same rule. */
async function shrink(failed: Case, play: (tried: Case) => Promise<Played>) {
  const rule = (await play(failed)).run.violation?.rules[0];
  const fails = async (tried: Case) => (await play(tried)).run.violation?.rules[0] === rule;
  let clock = failed.clock;
  const actions = await minimise(
    failed.actions,
    (shorter) => fails({ clock, actions: shorter }),
    simplerAction,
  );
  if (clock !== "between-seconds" && (await fails({ clock: "between-seconds", actions })))
    clock = "between-seconds";
  const shortest = { clock, actions };
  const { steps, run: shown } = await play(shortest);
  return { shortest, steps, shown };
}
