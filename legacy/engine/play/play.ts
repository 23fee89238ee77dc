import { AdapterFault, MissingAnswer, NotTransportable } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { DataError } from "../data/data-error.ts";
import type { Vector } from "../vectors/vector.ts";
import { endedBy } from "./breakage.ts";
import type { SceneClock } from "./clock.ts";
import type { Line } from "./line.ts";
import { Unmeasured } from "./measured.ts";
import { playSteps } from "./play-step.ts";
import type { Breakage, Result } from "./result.ts";
import { Scene } from "./scene.ts";
import { BadStep, NotApplicable, StepFailed, StoreFull, TooLate } from "./step-ends.ts";

/** What came of a vector that was played. */
export interface PlayOutcome {
  readonly result: Result;
  /** The fault that ended the vector, if one did. */
  readonly fault?: AdapterFault;
  /** Whether it says nothing only because it ran too slowly: another time it may not. */
  readonly late?: true;
}

/**
 * Plays one vector against a service that was just started, and gives what it showed. Never throws for anything that
 * an implementation does: a fault of the adapter becomes a result with outcome `error`.
 * @throws {Unmeasured} where it depends on what has not been measured yet
 * @throws {MissingAnswer} where nothing at all can be judged, since the adapter does not tell what its facts promise
 */
export async function playVector(
  vector: Vector,
  stage: Stage,
  connection: Line,
  clock: SceneClock,
): Promise<PlayOutcome> {
  const scene = new Scene(vector, stage, connection, clock);
  try {
    await playSteps(scene, vector.steps, "");
  } catch (error) {
    if (error instanceof Unmeasured) error.seen = () => scene.seen();
    if (error instanceof MissingAnswer) throw error;
    const ending = endingOf(error, scene);
    if (ending === undefined) throw error;
    const { fault } = ending;
    const result = resultOf(scene, ending);
    const late = error instanceof TooLate && result.outcome === "skipped";
    return { result, ...(fault === undefined ? {} : { fault }), ...(late ? { late } : {}) };
  }
  return { result: resultOf(scene, { outcome: "passed" }) };
}

/** How a vector came to its end, where nothing that was seen before says otherwise. */
interface Ending {
  readonly outcome: Exclude<Result["outcome"], "failed">;
  readonly reason?: string;
  readonly lacks?: readonly string[] | undefined;
  readonly fault?: AdapterFault;
  readonly breakage?: Breakage;
  /** Whether the vector could not go on with what the service had answered. */
  readonly stuck?: boolean;
}

/** What a thrown value means for the vector; undefined where it is a fault of the kit itself. */
function endingOf(error: unknown, { vector, stage, connection, failures }: Scene): Ending | undefined {
  if (error instanceof StepFailed) {
    // Where no failure was written down, a step got what is merely advised against, and the rest was not reached.
    const onlyAdvice = vector.rules.every((id) => stage.contract.rules.get(id)?.level === "advice");
    return onlyAdvice || failures.length > 0
      ? { outcome: "passed" }
      : { outcome: "skipped", reason: "ended early, by mere advice" };
  }
  // Without that answer no vector can be judged: it ends the run.
  if (error instanceof MissingAnswer) return undefined;
  if (error instanceof AdapterFault) return { ...endedBy(error), fault: error };
  if (error instanceof NotTransportable) {
    return {
      outcome: "skipped",
      reason: `${connection.info.implementation.name} cannot send it: ${error.message}`,
    };
  }
  if (error instanceof StoreFull) return { outcome: "skipped", reason: error.message, lacks: error.lacks };
  if (error instanceof TooLate) return { outcome: "skipped", reason: error.message };
  if (error instanceof NotApplicable)
    return { outcome: "skipped", reason: `does not apply: ${error.message}` };
  // A function of the vector that cannot take what this implementation's facts or answers hold.
  if (error instanceof DataError)
    return { outcome: "skipped", reason: `cannot be made here: ${error.message}`, stuck: true };
  if (error instanceof BadStep)
    return { outcome: "error", reason: `the vector itself is wrong: ${error.message}`, stuck: true };
  return undefined;
}

function resultOf(scene: Scene, { outcome, reason, lacks, fault, breakage, stuck = false }: Ending): Result {
  const { vector, observations, advice } = scene;
  // An answer that is wrong in itself may leave a vector nothing to go on with: that is the service's failure.
  const failures = stuck && scene.failures.length === 0 ? scene.incidental : scene.failures;
  const incidental = failures === scene.incidental ? [] : firstOfEach(scene.incidental, ({ rule }) => rule);
  const told = failures.length > 0 || incidental.length > 0 || outcome === "error";
  return {
    id: vector.id,
    kind: "vector",
    title: vector.title,
    rules: vector.rules,
    outcome: failures.length > 0 ? "failed" : outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(lacks === undefined ? {} : { lacks }),
    ...(fault !== undefined && outcome === "error" && failures.length > 0 ? { broke: true } : {}),
    ...(breakage === undefined ? {} : { breakage }),
    source: vector.place,
    failures,
    incidental,
    observations: firstOfEach(observations, ({ point, reading }) => `${point} ${reading}`),
    advice,
    trace: told ? scene.trace() : [],
  };
}

/** Without those that have the key of one before: a constant that is wrong in each answer is seen over and over. */
function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}
