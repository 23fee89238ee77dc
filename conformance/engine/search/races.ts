import fc from "fast-check";
import type { Connection } from "../../adapters/adapter.ts";
import { AdapterFault } from "../../adapters/adapter.ts";
import { type Race, raceSteps } from "../../contract/properties/race-steps.ts";
import { virtualClock } from "../play/clock.ts";
import { playVector } from "../play/play.ts";
import type { Result } from "../play/result.ts";
import { startTime } from "../play/start-times.ts";
import { distinctSeen } from "./distinct-seen.ts";
import { drawCases } from "./draw-cases.ts";
import type { Property, PropertyOutcome, PropertyRun } from "./property.ts";
import { scheduled } from "./scheduled.ts";
import { vectorOf, writeSuite } from "./write-suite.ts";

const race: fc.Arbitrary<Race> = fc.oneof(
  fc.record({ kind: fc.constant("proofs" as const), times: fc.integer({ min: 2, max: 5 }) }),
  fc.record({
    kind: fc.constant("retries" as const),
    times: fc.integer({ min: 2, max: 5 }),
    before: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("inputs" as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant("builds" as const),
    times: fc.integer({ min: 6, max: 8 }),
    others: fc.boolean(),
  }),
);

/** Requests that are in flight together, in whatever order they are taken. */
export const races: Property = {
  name: "races",
  title: "requests in flight together get what they would get one after the other",
  rules: ["CHALLENGE-22", "IDEMPOTENCY-5", "IDEMPOTENCY-10", "LIMIT-5", "LIMIT-6"],
  needs: ["virtual-clock", "restart", "concurrency"],
  // A case costs several requests in flight.
  perRun: 0.2,
  async check(run: PropertyRun): Promise<PropertyOutcome> {
    const { connection, stage } = run;
    const play = async (
      tried: Race,
      on: Connection,
    ): Promise<{ readonly result: Result; readonly text: string }> => {
      const { rules, steps } = raceSteps(tried);
      const title = `requests in flight together keep ${rules[0]}`;
      const text = writeSuite("found", [{ id: `races-${tried.kind}`, title, rules, steps }]);
      const vector = vectorOf(text, "property/races", stage.contract);
      const startMs = startTime(vector.clock);
      await on.start(startMs);
      const { result, fault } = await playVector(vector, stage, on, virtualClock(on, startMs));
      if (fault instanceof AdapterFault && result.outcome === "error") throw fault;
      return { result, text };
    };
    const seen: Result[] = [];
    const property = fc.asyncProperty(race, fc.option(fc.scheduler()), async (tried, scheduler) => {
      const { result } =
        scheduler === null
          ? await play(tried, connection)
          : await scheduled(connection, scheduler, (on) => play(tried, on));
      seen.push(result);
      return result.outcome !== "failed";
    });
    const { counterexample, numRuns: tried } = await fc.check(property, drawCases("races", run));
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
