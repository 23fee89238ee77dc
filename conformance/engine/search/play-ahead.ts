import fc from "fast-check";
import type { Connection } from "../../adapters/adapter.ts";
import type { PropertyRun } from "../contract.ts";
import { drawCases } from "./draw-cases.ts";

/** Things that are tried one after the other, and tell the same when they are tried side by side. */
export interface Ahead<Outcome> {
  readonly count: number;
  /** Each has a service of its own. */
  readonly lanes: readonly Connection[];
  readonly play: (place: number, lane: Connection) => Promise<Outcome>;
  /** Whether the next one would be tried after it. */
  readonly goesOn: (outcome: Outcome) => boolean;
  /** Whether it is likely that this one is to be tried at all; always unless told. */
  readonly mayBegin?: (place: number) => boolean;
}

/**
 * Tries things side by side, where there are lanes for it, as far as all goes well: the first that does not, in their
 * order, is for the caller to try once more when nothing else is under way, as is what comes after it.
 * @returns the outcomes of all before it
 */
export async function playAhead<Outcome>(ahead: Ahead<Outcome>): Promise<readonly Outcome[]> {
  const { count, lanes, play, goesOn, mayBegin = () => true } = ahead;
  if (lanes.length < 2) return [];
  const outcomes: Outcome[] = [];
  let next = 0;
  let end = count;
  const playLane = async (lane: Connection) => {
    while (next < end && mayBegin(next)) {
      const place = next++;
      try {
        const outcome = await play(place, lane);
        if (goesOn(outcome)) outcomes[place] = outcome;
        else end = Math.min(end, place);
      } catch (error) {
        end = 0;
        throw error;
      }
    }
  };
  for (const lane of await Promise.allSettled(lanes.map(playLane)))
    if (lane.status === "rejected") throw lane.reason;
  // Where fewer were begun than there are, the list is short; a gap is where one did not go well.
  const gap = Array.from(outcomes).indexOf(undefined as Outcome);
  return outcomes.slice(0, Math.min(end, gap === -1 ? outcomes.length : gap));
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
  const lanes = [run.connection, ...(run.others ?? [])];
  const values = lanes.length < 2 ? [] : fc.sample(arbitrary, drawCases(name, run));
  return playAhead({
    count: values.length,
    lanes,
    play: (place, lane) => play(values[place] as Value, place, lane),
    goesOn,
  });
}
