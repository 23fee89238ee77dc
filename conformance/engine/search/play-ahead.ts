import fc from "fast-check";
import type { Connection } from "../../adapters/adapter.ts";
import type { PropertyRun, SideBySide } from "../contract.ts";
import { drawCases } from "./draw-cases.ts";

/** A case is a few requests. */
const REQUESTS_OF_CASE = 10;

/** Things that are tried one after the other, and tell the same when they are tried side by side. */
export interface Trials<Outcome> {
  readonly count: number;
  readonly play: (place: number, lane: Connection) => Promise<Outcome>;
  /** Whether the next one would be tried after it. */
  readonly goesOn: (outcome: Outcome) => boolean;
  /** About how many requests one takes. */
  readonly requests: (place: number) => number;
  /** Whether it is likely that this one is to be tried at all; always unless told. */
  readonly mayBegin?: (place: number) => boolean;
}

/**
 * Tries things side by side, where there are services for it, as far as all goes well: the first that does not, in their
 * order, is for the caller to try once more when nothing else is under way, as is what comes after it.
 * @returns the outcomes of all before it
 */
export async function playAhead<Outcome>(
  { count, play, goesOn, requests, mayBegin = () => true }: Trials<Outcome>,
  ahead: SideBySide | undefined,
): Promise<readonly Outcome[]> {
  if (ahead === undefined) return [];
  let end = count;
  const trials = Array.from({ length: count }, (_, place) =>
    ahead.use(async (lane) => {
      if (place >= end || !mayBegin(place)) return undefined;
      try {
        const outcome = await play(place, lane);
        if (goesOn(outcome)) return outcome;
      } catch (error) {
        end = 0;
        throw error;
      }
      end = Math.min(end, place);
      return undefined;
    }, requests(place)),
  );
  const outcomes: (Outcome | undefined)[] = [];
  for (const trial of await Promise.allSettled(trials)) {
    if (trial.status === "rejected") throw trial.reason;
    outcomes.push(trial.value);
  }
  await ahead.turn();
  const gap = outcomes.indexOf(undefined);
  return (gap === -1 ? outcomes : outcomes.slice(0, gap)) as readonly Outcome[];
}

/**
 * {@link playAhead} of the cases that fast-check draws for a property.
 * @param arbitrary of a property with several, a tuple of them
 */
export function playCasesAhead<Value, Outcome>(
  { name, arbitrary }: { readonly name: string; readonly arbitrary: fc.Arbitrary<Value> },
  run: PropertyRun,
  play: (value: Value, place: number, lane: Connection) => Promise<Outcome>,
  goesOn: (outcome: Outcome) => boolean,
): Promise<readonly Outcome[]> {
  const { ahead } = run;
  const values = ahead === undefined ? [] : fc.sample(arbitrary, drawCases(name, run));
  const trials: Trials<Outcome> = {
    count: values.length,
    play: (place, lane) => play(values[place] as Value, place, lane),
    goesOn,
    requests: () => REQUESTS_OF_CASE,
  };
  return playAhead(trials, ahead);
}
