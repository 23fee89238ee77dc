import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { Interrupted } from "../play/breakage.ts";
import { type SceneClock, virtualClock, wallClock } from "../play/clock.ts";
import { untilClearOfMark } from "../play/lateness.ts";
import { type PlayOutcome, playVector } from "../play/play.ts";
import type { RealTime } from "../play/real-time.ts";
import { startTime } from "../play/start-times.ts";
import type { Vector } from "../vectors/vector.ts";
import { notStarted } from "./stop.ts";

/** What a vector is played with that has a service of its own. */
export interface StartedOptions {
  readonly stage: Stage;
  readonly time: RealTime;
  /** Told how many vectors are played once more. */
  readonly onAgain: (vectors: number) => void;
}

/** Starts a service and plays a vector on it; once more where time was short. */
export async function playStarted(
  vector: Vector,
  connection: Connection,
  { stage, time, onAgain }: StartedOptions,
): Promise<PlayOutcome> {
  const play = async () =>
    playVector(vector, stage, connection, await startClock(vector, connection, stage, time));
  try {
    const outcome = await play();
    if (!outcome.late) return outcome;
    try {
      await untilClear(stage, time);
      onAgain(1);
      return bothTries(outcome, await play());
    } catch (error) {
      if (error instanceof Interrupted) return outcome;
      throw error;
    }
  } catch (error) {
    // Anything else is the kit's own fault and goes up.
    if (error instanceof AdapterFault) return notStarted(vector, error);
    throw error;
  }
}

async function startClock(
  vector: Vector,
  connection: Connection,
  { seed }: Stage,
  time: RealTime,
): Promise<SceneClock> {
  const virtual = connection.info.capabilities.clock === "virtual";
  const startMs = virtual ? startTime(vector.clock, seed) : time.now();
  await connection.start(startMs);
  return virtual ? virtualClock(connection, startMs) : wallClock(time);
}

/** Lets a minute of the service's clock end where one is about to. */
export function untilClear({ contract, clockToleranceMs }: Stage, time: RealTime): Promise<void> {
  const ms = untilClearOfMark(time.now(), contract.time.markMs, clockToleranceMs);
  return time.sleep(ms, { for: "for a minute of the service's clock to begin" });
}

/** What two tries of one vector show: the second counts, and nothing that was seen broken on the way is lost. */
export function bothTries({ result: { incidental, advice } }: PlayOutcome, again: PlayOutcome): PlayOutcome {
  const { result } = again;
  const both = {
    incidental: [...incidental, ...result.incidental],
    advice: [...advice, ...result.advice],
  };
  return { ...again, result: { ...result, ...both } };
}
