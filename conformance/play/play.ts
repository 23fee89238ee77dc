import { AdapterFault, type Connection, NotTransportable } from "../adapters/adapter.ts";
import { DataError } from "../data/data-error.ts";
import type { Vector } from "../vectors/model.ts";
import { BadStep } from "../vectors/requests.ts";
import { NotApplicable } from "../vectors/template.ts";
import type { SceneClock } from "./clock.ts";
import { StepFailed, StoreFull } from "./fail.ts";
import { playSteps } from "./play-step.ts";
import type { Result } from "./result.ts";
import { Scene, type Stage } from "./scene.ts";

/** Thrown out of {@link playVector} where the line to the implementation is of no more use; the result goes with it. */
export interface PlayOutcome {
  readonly result: Result;
  /** The fault that ended the vector, if one did. */
  readonly fault?: AdapterFault;
}

/**
 * Plays one vector against a service that was just started, and gives what it showed. Never throws for anything that
 * an implementation does: a fault of the adapter becomes a result with outcome `error`.
 */
export async function playVector(
  vector: Vector,
  stage: Stage,
  connection: Connection,
  clock: SceneClock,
): Promise<PlayOutcome> {
  const scene = new Scene(vector, stage, connection, clock);
  try {
    await playSteps(scene, vector.steps, "");
  } catch (error) {
    if (error instanceof NotTransportable) {
      return {
        result: resultOf(scene, "skipped", `${connectionName(connection)} cannot send it: ${error.message}`),
      };
    }
    if (error instanceof AdapterFault) {
      return {
        result: resultOf(scene, scene.failures.length > 0 ? "failed" : "error", error.message),
        fault: error,
      };
    }
    if (error instanceof StoreFull) return { result: resultOf(scene, "skipped", error.message) };
    if (error instanceof NotApplicable) {
      return { result: resultOf(scene, "skipped", `does not apply: ${error.message}`) };
    }
    if (error instanceof DataError) {
      // A function of the vector that cannot take what this implementation's facts or answers hold.
      return { result: resultOf(scene, "skipped", `cannot be made here: ${error.message}`) };
    }
    if (error instanceof BadStep)
      return { result: resultOf(scene, "error", `the vector itself is wrong: ${error.message}`) };
    if (!(error instanceof StepFailed)) throw error;
  }
  return { result: resultOf(scene, scene.failures.length > 0 ? "failed" : "passed") };
}

function connectionName(connection: Connection): string {
  return connection.info.implementation.name;
}

function resultOf(scene: Scene, outcome: Result["outcome"], reason?: string): Result {
  const { vector } = scene;
  const told = outcome === "failed" || outcome === "error" || scene.incidental.length > 0;
  return {
    id: vector.id,
    kind: "vector",
    title: vector.title,
    rules: vector.rules,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    source: vector.place,
    failures: scene.failures,
    incidental: scene.incidental,
    observations: scene.observations,
    advice: scene.advice,
    trace: told ? scene.trace() : [],
  };
}
