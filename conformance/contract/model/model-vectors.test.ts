import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inProcessAdapter } from "../../adapters/in-process.ts";
import { loadKitData } from "../../contract/kit-data.ts";
import { formatOutcome, type Outcome } from "../../engine/outcome.ts";
import { virtualClock } from "../../engine/play/clock.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { playSteps } from "../../engine/play/play-step.ts";
import { startTime } from "../../engine/play/start-times.ts";
import { CheckedScene, type Recorded } from "../../engine/search/checked-scene.ts";
import { merge } from "../../engine/search/model.ts";
import { LostTrack, Violated } from "../../engine/search/violation.ts";
import type { Step, Tally, TogetherStep, Vector } from "../../engine/vectors/vector.ts";
import { reference } from "../../testing/reference.ts";
import { stageOf } from "../../testing/search/stage.ts";
import { newModel } from "./model.ts";

const SEED = 8;
const { contract, suites } = loadKitData();
const { vectors } = suites;
const connection = await inProcessAdapter(reference, { name: "reference" }).connect();

describe("the model and the vectors say the same", () => {
  for (const suite of new Set(vectors.map((vector) => vector.suite))) {
    test(suite, async () => {
      const found: string[] = [];
      for (const vector of vectors.filter((candidate) => candidate.suite === suite)) {
        for (const difference of await differences(vector)) found.push(`${vector.id}: ${difference}`);
      }
      assert.deepEqual(found, []);
    });
  }
});

/** Sends what should be in flight together one after the other, so that the model can follow it. */
class OrderlyScene extends CheckedScene {
  #last: Promise<unknown> = Promise.resolve();

  override exchange(...request: Parameters<CheckedScene["exchange"]>): Promise<Exchange> {
    const own = this.#last.then(() => super.exchange(...request));
    this.#last = own.catch(() => {});
    return own;
  }
}

/** Plays a vector on the reference and holds the model's set against each step's expectation. */
async function differences(vector: Vector): Promise<readonly string[]> {
  const startMs = startTime(vector.clock);
  await connection.start(startMs);
  const clock = virtualClock(connection, startMs);
  const scene = new OrderlyScene({ newModel, quick: false }, vector, stageOf(SEED), connection, clock);
  // A vector about advice alone asks for more than the contract does: for one of the answers that it allows.
  const binding = vector.rules.some((id) => contract.rules.get(id)?.level !== "advice");
  try {
    await playSteps(scene, vector.steps, "");
  } catch (error) {
    if (!(error instanceof LostTrack) && (binding || error instanceof Violated)) return [String(error)];
  }
  return scene.recorded.flatMap((entry) => {
    const [step, together] = stepAt(vector.steps, entry.at.step);
    if (step === undefined || !followable(entry)) return [];
    const difference =
      together === undefined ? disagreement(step, entry, binding) : tallied(together.tally, entry);
    return difference === undefined ? [] : [`step ${entry.at.step}: ${difference}`];
  });
}

/** The step of a place such as `2[6].1`, and the `together` that it is part of; none for what the kit prepared itself. */
function stepAt(
  steps: readonly Step[],
  place: string,
): readonly [step: Step | undefined, together?: TogetherStep | undefined] {
  const [, number, inner] = /^(\d+)(?:\[\d+\]\.(.+))?$/.exec(place) ?? [];
  const step = steps[Number(number) - 1];
  if (inner === undefined || step === undefined || !("steps" in step)) return [step];
  const [found, together] = stepAt(step.steps, inner);
  return [found, step.kind === "together" ? step : together];
}

/** Where readers understand a body differently, the model leaves everything open. */
function followable({ expected }: Recorded): boolean {
  return expected.points[0] !== "JSON-DUPLICATE-KEY";
}

/** Whatever comes first, each answer that the model allows must be one of those that are counted. */
function tallied(tally: Tally, { expected }: Recorded): string | undefined {
  const counted = tally.map(({ outcome }) => outcome);
  return merge(expected.outcomes).every((outcome) => counted.some((other) => overlap(outcome, other)))
    ? undefined
    : `the vector counts ${shown(counted)}; the model allows ${shown(expected.outcomes)}`;
}

function disagreement(step: Step, { expected, exchange }: Recorded, binding: boolean): string | undefined {
  if (step.kind !== "operation" || (step.verb === "session" && exchange.operation === "challenge"))
    return undefined;
  const wanted = step.expect?.accepted ?? [{ status: 200, codes: [] }];
  if (binding && step.expect?.open === undefined && merge(wanted).length === 1) {
    const [vector, model] = [shown(wanted), shown(expected.outcomes)];
    return vector === model ? undefined : `the vector requires ${vector}; the model allows ${model}`;
  }
  const allowed = merge(expected.outcomes);
  // What the limiter has shown so far in the vector narrows the model's set, and not the vector's.
  const narrowed = expected.points.includes("RATE-SHAPE") || allowed.length === 1;
  if (narrowed && allowed.every((outcome) => wanted.some((other) => overlap(outcome, other))))
    return undefined;
  const ruledOut = merge(wanted).filter((outcome) => !allowed.some((other) => overlap(outcome, other)));
  return ruledOut.length === 0
    ? undefined
    : `the vector accepts ${shown(ruledOut)}; the model allows ${shown(allowed)}`;
}

function overlap(a: Outcome, b: Outcome): boolean {
  return a.status === b.status && (a.codes.length === 0 || a.codes.some((code) => b.codes.includes(code)));
}

function shown(outcomes: readonly Outcome[]): string {
  return merge(outcomes)
    .map(({ status, codes }) => formatOutcome({ status, codes: [...codes].sort() }))
    .sort()
    .join(", or ");
}
