import fc from "fast-check";
import { AdapterFault } from "../../adapters/adapter.ts";
import type { Property, PropertyDescription, PropertyOutcome, PropertyRun } from "../contract.ts";
import { virtualClock } from "../play/clock.ts";
import type { Line } from "../play/line.ts";
import { playVector } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import { runLabel } from "../play/run-label.ts";
import { startTime } from "../play/start-times.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import { propertyId } from "./property-result.ts";
import { scheduled } from "./scheduled.ts";
import { vectorOf, writeSuite } from "./write-suite.ts";

/** A race as a vector, with the outcomes that the contract leaves it, whatever the order. */
export interface RaceVector {
  readonly id: string;
  readonly rules: readonly string[];
  /** Steps as a suite writes them. */
  readonly steps: readonly Readonly<Record<string, unknown>>[];
}

/** Random races between requests. */
export interface Races<Race> extends PropertyDescription, Pick<Property, "perRun"> {
  readonly races: fc.Arbitrary<Race>;
  /** @param label what belongs to the run: its texts come of it */
  readonly vector: (race: Race, label: string) => RaceVector;
}

/** The property that requests in flight together get what they would get one after the other. */
export function inFlight<Race>({ races, vector: vectorFor, ...described }: Races<Race>): Property {
  const { name } = described;
  return {
    ...described,
    async check(run: PropertyRun): Promise<PropertyOutcome> {
      const { connection, stage } = run;
      const play = async (
        tried: Race,
        on: Line,
      ): Promise<{ readonly result: Result; readonly text: string }> => {
        const race = vectorFor(tried, runLabel(stage));
        const title = `requests in flight together keep ${race.rules[0]}`;
        const { id, rules, steps } = race;
        const text = writeSuite("found", [{ id, title, rules, steps }]);
        const vector = vectorOf(text, propertyId({ name }), stage.contract);
        const startMs = startTime(vector.clock, stage.seed);
        await on.start(startMs);
        const { result, fault } = await playVector(vector, stage, on, virtualClock(on, startMs));
        if (fault instanceof AdapterFault && result.outcome === "error") throw fault;
        return { result, text };
      };
      const playScheduled = async (tried: Race, scheduler: fc.Scheduler | null, on: Line) => {
        if (scheduler === null) return (await play(tried, on)).result;
        return (await scheduled(on, scheduler, (held) => play(tried, held))).result;
      };
      const schedulers = fc.option(fc.scheduler());
      const seen: Result[] = [];
      const property = fc.asyncProperty(races, schedulers, async (tried, scheduler) => {
        const result = await playScheduled(tried, scheduler, connection);
        seen.push(result);
        return result.outcome !== "failed";
      });
      const { counterexample, numRuns: tried } = await fc.check(property, drawCases(name, run));
      if (counterexample === null) return { tried, trace: [], ...distinctSeen(seen) };
      const failed = seen.findLast(({ outcome }) => outcome === "failed");
      const { result, text } = await play(counterexample[0], connection);
      const shown = result.outcome === "failed" ? result : failed;
      const [failure] = shown?.failures ?? [];
      return {
        ...(failure === undefined ? {} : { failure }),
        vector: text,
        tried,
        trace: shown?.trace ?? [],
        ...distinctSeen(seen),
      };
    },
  };
}
