import { type Connection, NotTransportable } from "../../adapters/adapter.ts";
import { withOwnKeys } from "../../contract/commands/own-keys.ts";
import { ContractModel } from "../../contract/model/model.ts";
import { proofWeigher } from "../../contract/model/proof-holds.ts";
import type { ModelContext } from "../../contract/model/state.ts";
import { BadStep } from "../../contract/verbs/requests.ts";
import { virtualClock } from "../play/clock.ts";
import { StepFailed, StoreFull } from "../play/fail.ts";
import type { Advice, Observation } from "../play/judgement.ts";
import { playSteps } from "../play/play-step.ts";
import type { Stage } from "../play/scene.ts";
import { startTime } from "../play/start-times.ts";
import { NotApplicable } from "../vectors/template.ts";
import type { ClockStart, Step, Vector } from "../vectors/vector.ts";
import { ModelledScene, type Recorded } from "./modelled-scene.ts";
import { LostTrack, Violated, type Violation } from "./violation.ts";

/** What stays the same for all sequences of a property. */
export interface SequenceStage {
  readonly stage: Stage;
  readonly connection: Connection;
  readonly context: ModelContext;
  /** Id of the property. */
  readonly id: string;
  /** Sequences played so far: each has actors and keys of its own. */
  played: number;
}

/** What one sequence showed. */
export interface SequenceRun {
  readonly violation: Violation | undefined;
  /** Every request in order, with what the model allowed. */
  readonly recorded: readonly Recorded[];
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
}

/**
 * The stage of a property over one connection.
 * @param played sequences that others have played of the same property, so that no two have actors in common
 */
export function sequenceStage(stage: Stage, connection: Connection, id: string, played = 0): SequenceStage {
  const { facts } = connection.info;
  const doubt = { resolutionMs: stage.resolutionMs, toleranceMs: stage.clockToleranceMs };
  const context = { facts, schemas: stage.schemas, doubt, proofHolds: proofWeigher(facts.signedBytes) };
  return { stage, connection, context, id, played };
}

/** Plays steps against a new service until the end, the first violation, or where the model must stop. */
export async function playSequence(
  steps: readonly Step[],
  clock: ClockStart,
  sequenceStage: SequenceStage,
): Promise<SequenceRun> {
  const { stage, connection, context } = sequenceStage;
  const number = ++sequenceStage.played;
  const startMs = startTime(clock);
  await connection.start(startMs);
  const model = new ContractModel(context, { earliest: startMs, latest: startMs });
  const scene = new ModelledScene(
    model,
    vectorOf(`${sequenceStage.id} ${number}`, clock, steps),
    stage,
    connection,
    virtualClock(connection, startMs),
  );
  const run = (violation: Violation | undefined): SequenceRun => {
    const { recorded, observations, advice } = scene;
    return { violation, recorded, observations, advice };
  };
  try {
    await playSteps(scene, withOwnKeys(steps, number), "");
  } catch (error) {
    if (error instanceof Violated) return run(error.violation);
    const ended = ENDS.some((kind) => error instanceof kind);
    if (!ended) throw error;
  }
  return run(undefined);
}

/** What ends a sequence without a word against the service: the rest cannot be asked, or not be judged. */
const ENDS = [LostTrack, StepFailed, StoreFull, NotApplicable, BadStep, NotTransportable];

function vectorOf(id: string, clock: ClockStart, steps: readonly Step[]): Vector {
  const place = { file: id, line: 1 };
  return {
    id,
    suite: "property",
    title: id,
    rules: [],
    place,
    clock,
    needs: new Set(),
    totalWaitMs: 0,
    row: {},
    steps,
  };
}
