import fc from "fast-check";
import type { PropertyDescription, PropertyOutcome, PropertyRun } from "../contract.ts";
import type { Step } from "../vectors/vector.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import { playSequence, type SequenceRun, type SequenceStage } from "./play-sequence.ts";
import { propertyId } from "./property-result.ts";
import { reportSequence } from "./report-sequence.ts";
import type { SequenceContract } from "./sequence-contract.ts";

/** A property whose cases are short sequences made from random values, which shrink by themselves. */
export interface CasesOf<Value> extends Pick<PropertyDescription, "name"> {
  readonly contract: SequenceContract;
  readonly arbitrary: fc.Arbitrary<Value>;
  /** The same value always gives the same steps. */
  readonly steps: (value: Value, run: PropertyRun) => readonly Step[];
}

/** Tries random cases, each against a service of its own, and reports the smallest that breaks a rule. */
export async function checkCases<Value>(cases: CasesOf<Value>, run: PropertyRun): Promise<PropertyOutcome> {
  const { name, arbitrary, steps } = cases;
  const stage = sequenceStage(cases, run);
  const play = (value: Value) => playSequence(steps(value, run), "between-seconds", stage);
  const seen: Pick<SequenceRun, "observations" | "advice">[] = [];
  let rule: string | undefined;
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const shown = await play(value);
    if (shown.violation === undefined) seen.push(distinctSeen([shown]));
    const broken = shown.violation?.rules[0];
    // What shrinks must stay the same fault: a case that breaks another rule counts as none.
    rule ??= broken;
    return broken === undefined || broken !== rule;
  });
  const { counterexample, numRuns: tried } = await fc.check(property, drawCases(name, run));
  if (counterexample === null) return { tried, trace: [], ...distinctSeen(seen) };
  const [value] = counterexample;
  const shown = await play(value);
  const failed = { name, steps: steps(value, run), clock: "between-seconds", run: shown } as const;
  return { tried, ...reportSequence(failed, stage), ...distinctSeen([...seen, shown]) };
}

/** The stage of a property's sequences. Other shards play as many before its first: no two have actors in common. */
export function sequenceStage(
  { name, contract }: Pick<CasesOf<unknown>, "name" | "contract">,
  { stage, connection, cases }: PropertyRun,
): SequenceStage {
  return { contract, stage, connection, id: propertyId({ name }), played: cases.from };
}
