import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inProcessAdapter } from "../adapters/in-process.ts";
import { formatOutcome, type Outcome } from "../contract/outcome.ts";
import { PATHS } from "../paths.ts";
import { virtualClock } from "../play/clock.ts";
import { playSteps } from "../play/play-step.ts";
import { startTime } from "../play/start-times.ts";
import { contract } from "../testing/contract-data.ts";
import { reference } from "../testing/reference.ts";
import { loadSuites } from "../vectors/load.ts";
import type { Step, Vector } from "../vectors/model.ts";
import { merge } from "./model/expected.ts";
import { ContractModel } from "./model/model.ts";
import { ModelledScene, type Recorded } from "./sequence/modelled-scene.ts";
import { sequenceStage } from "./sequence/play-sequence.ts";
import { LostTrack } from "./sequence/violation.ts";
import { stageOf } from "./testing/stage.ts";

const SEED = 8;
const { vectors } = loadSuites(PATHS.suites, PATHS.suiteSchema, contract);
const connection = await inProcessAdapter(reference, { name: "reference" }).connect();

/** Vectors about advice alone ask for more than the contract does; the model knows no requests in flight together. */
const followed = vectors.filter(
  ({ rules, steps }) =>
    rules.some((id) => contract.rules.get(id)?.level !== "advice") &&
    !JSON.stringify(steps).includes('"together"'),
);

describe("the model and the vectors say the same", () => {
  for (const suite of new Set(followed.map((vector) => vector.suite))) {
    test(suite, async () => {
      const found: string[] = [];
      for (const vector of followed.filter((candidate) => candidate.suite === suite)) {
        for (const difference of await differences(vector)) found.push(`${vector.id}: ${difference}`);
      }
      assert.deepEqual(found, []);
    });
  }
});

/** Plays a vector on the reference and holds the model's set against each step's expectation. */
async function differences(vector: Vector): Promise<readonly string[]> {
  const { context, stage } = sequenceStage(stageOf(SEED), connection, vector.id);
  const startMs = startTime(vector.clock);
  await connection.start(startMs);
  const model = new ContractModel(context, { earliest: startMs, latest: startMs });
  const scene = new ModelledScene(model, vector, stage, connection, virtualClock(connection, startMs));
  try {
    await playSteps(scene, vector.steps, "");
  } catch (error) {
    if (!(error instanceof LostTrack)) return [String(error)];
  }
  return scene.recorded.flatMap((entry) => {
    const step = vector.steps[Number(entry.at.step) - 1];
    const difference = step === undefined || !followable(entry) ? undefined : disagreement(step, entry);
    return difference === undefined ? [] : [`step ${entry.at.step}: ${difference}`];
  });
}

/** Where readers understand a body differently, the model leaves everything open. */
function followable({ expected }: Recorded): boolean {
  return expected.points[0] !== "JSON-DUPLICATE-KEY";
}

function disagreement(step: Step, { expected, exchange }: Recorded): string | undefined {
  if (step.kind !== "operation" || (step.verb === "session" && exchange.operation === "challenge"))
    return undefined;
  const wanted = step.expect?.accepted ?? [{ status: 200, codes: [] }];
  if (step.expect?.open === undefined && merge(wanted).length === 1) {
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
