import { NotTransportable } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { virtualClock } from "../play/clock.ts";
import type { Advice, Observation } from "../play/judgement.ts";
import type { Line } from "../play/line.ts";
import { playStep } from "../play/play-step.ts";
import { startTime } from "../play/start-times.ts";
import { BadStep, NotApplicable, StepFailed, StoreFull } from "../play/step-ends.ts";
import type { ClockStart, Step, Vector } from "../vectors/vector.ts";
import { CheckedScene, type Recorded } from "./checked-scene.ts";
import { decisiveAnswers } from "./decisive-answers.ts";
import type { Moment } from "./model.ts";
import type { SequenceContract } from "./sequence-contract.ts";
import { LostTrack, Violated, type Violation } from "./violation.ts";

/** What stays the same for all sequences of a property. */
export interface SequenceStage {
  readonly contract: SequenceContract;
  readonly stage: Stage;
  readonly connection: Line;
  /** Id of the property. */
  readonly id: string;
  /** Sequences played so far: each has actors and keys of its own. */
  played: number;
}

/** What one sequence showed. */
export interface SequenceRun {
  readonly violation: Violation | undefined;
  /** Requests that were sent. */
  readonly requests: number;
  /** Every request in order, with what the model allowed; none where it was not looked at closely. */
  readonly recorded: readonly Recorded[];
  /** The answers on which it hangs that there is a violation: services may give others. */
  readonly decisive: ReadonlySet<Recorded>;
  readonly observations: readonly Observation[];
  readonly advice: readonly Advice[];
}

/**
 * Plays steps against a new service until the end, the first violation, or where the model must stop.
 * @param look `quickly` where it only matters whether a rule is broken: then nothing is recorded, observed or advised
 */
export async function playSequence(
  steps: readonly Step[],
  clock: ClockStart,
  sequenceStage: SequenceStage,
  look: "closely" | "quickly" = "closely",
): Promise<SequenceRun> {
  const { contract, stage, connection, id } = sequenceStage;
  const number = ++sequenceStage.played;
  const startMs = startTime(clock, stage.seed);
  await connection.start(startMs);
  const scene = new CheckedScene(
    { newModel: contract.newModel, quick: look === "quickly" },
    sequenceVector(`${id} ${number}`, clock, steps),
    stage,
    connection,
    virtualClock(connection, startMs),
  );
  const retelling = {
    newModel: (started: Moment) => contract.newModel(scene, started),
    codeOf: stage.contract.operations.codeOf,
    bodyOf: contract.writing.errorBody,
  };
  const run = (violation: Violation | undefined): SequenceRun => {
    const { recorded, observations, advice, requests } = scene;
    const decisive = violation === undefined ? new Set<Recorded>() : decisiveAnswers(recorded, retelling);
    return { violation, recorded, decisive, observations, advice, requests };
  };
  try {
    for (const [index, step] of contract.withOwnKeys(steps, number).entries()) {
      try {
        await playStep(scene, step, { step: `${index + 1}`, place: step.place });
      } catch (error) {
        if (!cannotBeAsked(error)) throw error;
      }
    }
  } catch (error) {
    if (error instanceof Violated) return run(error.violation);
    if (!(error instanceof LostTrack)) throw error;
  }
  return run(undefined);
}

/** What keeps a step from being played without a word against the service: it is left out, and the others go on. */
const NOT_ASKED = [StepFailed, StoreFull, NotApplicable, BadStep, NotTransportable];

/** Whether a thrown value says that a step could not be played, and nothing against the service. */
export function cannotBeAsked(error: unknown): boolean {
  return NOT_ASKED.some((kind) => error instanceof kind);
}

/** A vector of these steps, which are about no rule of their own: the model judges. */
export function sequenceVector(id: string, clock: ClockStart, steps: readonly Step[]): Vector {
  return {
    id,
    suite: "property",
    title: id,
    rules: [],
    place: { file: id, line: 1 },
    clock,
    needs: new Set(),
    totalWaitMs: 0,
    row: {},
    steps,
  };
}
