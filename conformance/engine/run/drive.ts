import { type Adapter, AdapterFault, type Connection } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { endedBy, findingOf, Interrupted, wasNotSent } from "../play/breakage.ts";
import { virtualClock, wallClock } from "../play/clock.ts";
import { type PlayOutcome, playVector } from "../play/play.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { momentOf, nextStart } from "../play/start-times.ts";
import { RESTART } from "../vectors/need.ts";
import type { Vector } from "../vectors/vector.ts";
import type { Beside } from "./beside.ts";
import { driveSeparately } from "./drive-separately.ts";
import { MOST_FAULTS, MOST_FAULTS_IN_STEPS } from "./fault-count.ts";
import type { Planned } from "./plan.ts";
import { bothTries, untilClear } from "./play-started.ts";
import { BAILED, broken, notPlayed, notStarted, type Stop, whyGone } from "./stop.ts";

/** Why a vector is left out that begins at one moment. */
const PASSED: Stop = {
  outcome: "skipped",
  reason: "needs an earlier moment than the clock shows, and the service cannot be started anew",
  lacks: [RESTART],
};
/** What is added to the longest lifetime, so that nothing of an earlier vector is alive. */
const SURELY_OVER_MS = 60_000;
/** Vectors whose requests were not answered while others were under way are played once more, one after the other. */
const ONE_BY_ONE = 1;
/** Vectors under way at once against one shared service on a real clock. */
const SIDE_BY_SIDE = 16;

export interface DriveOptions {
  readonly adapter: Adapter;
  /** An open connection to begin with, unless a fault has ended it. */
  readonly first: Connection;
  readonly stage: Stage;
  readonly time: RealTime;
  /** Whether to stop after this result. */
  readonly bail: (result: Result) => boolean;
  /** Ends the waits of vectors under way: there is nobody left to ask. */
  readonly abandon: (reason: string) => void;
  /** See `SeparateOptions`. */
  readonly slow?: boolean;
  readonly prepare?: (connection: Connection) => Promise<void>;
  readonly beside?: Beside;
  /** Asked before each vector: whether to stop, and why (Ctrl-C). */
  readonly stopped: () => string | undefined;
  /**
   * Gives 0, 1, 2 and so on: the place of the vector to play next, where several threads play from one list. Only for
   * services on a virtual clock that can be restarted.
   */
  readonly nextPlace?: () => number;
  /** Told how many vectors are played once more. */
  readonly onAgain: (vectors: number) => void;
  /** Told of every result as it comes. */
  readonly onResult: (result: Result) => void;
}

/** What came of the planned vectors. */
export interface Driven {
  /** A result for each, in the order of the plan. */
  readonly results: readonly Result[];
  /** How many services were found to be good for side by side. */
  readonly lanes: number;
}

/** Plays the planned vectors. */
export async function drive(planned: readonly Planned[], options: DriveOptions): Promise<Driven> {
  const results = new Map<string, Result>();
  const take = (result: Result) => {
    const isFirst = !results.has(result.id);
    results.set(result.id, result);
    if (isFirst) options.onResult(result);
  };
  const queue: Vector[] = [];
  for (const { vector, skip } of planned) {
    if (skip === undefined) queue.push(vector);
    else take(notPlayed(vector, { outcome: "skipped", ...skip }));
  }
  const { adapter, first } = options;
  const { capabilities } = first.info;
  const separate = { ...options, asked: () => asked(options) };
  const alone = queue.filter(({ needs }) => needs.has("restart"));
  const others = queue.filter(({ needs }) => !needs.has("restart"));
  let lanes = adapter.jobs;
  if (capabilities.clock === "real") {
    // Where time cannot be moved, all that can share one service does, so that the waits run side by side.
    await driveTogether(others, options, take);
    lanes = await driveSeparately(alone, separate, take);
  } else if (capabilities.restart) lanes = await driveSeparately(queue, separate, take);
  else await driveInTurn(others, options, take);
  return { results: planned.flatMap(({ vector }) => results.get(vector.id) ?? []), lanes };
}

/**
 * One shared service. What ran too slowly to be judged is played once more when all else is over, by other people:
 * the service remembers those of the first time. So is what was not answered while the service may have stood still
 * for another's request: what does not wait one by one, so that the hang is seen at the request that it belongs to.
 */
async function driveTogether(
  queue: readonly Vector[],
  options: DriveOptions,
  take: (result: Result) => void,
): Promise<void> {
  const { stage, time } = options;
  const late = new Map<Vector, PlayOutcome>();
  const stop = await driveSideBySide(queue, options, SIDE_BY_SIDE, (vector, outcome) => {
    if (outcome.late || isSuspect(outcome)) late.set(vector, outcome);
    else take(outcome.result);
  });
  const left = new Map(late);
  if (stop === undefined && late.size > 0) {
    await untilClear(stage, time).catch(unlessInterrupted);
    options.onAgain(late.size);
    const again = { ...options, stage: { ...stage, again: true as const } };
    const takeAgain = (vector: Vector, outcome: PlayOutcome) => {
      const first = late.get(vector);
      left.delete(vector);
      take((first === undefined ? outcome : bothTries(first, outcome)).result);
    };
    const alone = [...late.keys()].filter((vector) => vector.totalWaitMs === 0);
    const others = [...late.keys()].filter((vector) => vector.totalWaitMs > 0);
    const over = await driveSideBySide(alone, again, ONE_BY_ONE, takeAgain);
    if (over === undefined) await driveSideBySide(others, again, SIDE_BY_SIDE, takeAgain);
  }
  for (const { result } of left.values()) take(result);
}

/** Whether a vector was not answered, and that may have been for what another asked. */
function isSuspect({ result, fault }: PlayOutcome): boolean {
  return result.outcome === "error" && fault !== undefined && findingOf(fault)?.suspect === true;
}

function unlessInterrupted(error: unknown): void {
  if (!(error instanceof Interrupted)) throw error;
}

/** Vectors side by side, each with people of its own, those that wait first. Gives why it stopped, if it did. */
async function driveSideBySide(
  queue: readonly Vector[],
  options: DriveOptions,
  most: number,
  take: (vector: Vector, outcome: PlayOutcome) => void,
): Promise<Stop | undefined> {
  if (queue.length === 0) return undefined;
  const { first, stage, time } = options;
  // A service that cannot be started again was started when its clock was read.
  const state = { stop: undefined as Stop | undefined, faults: 0 };
  try {
    if (first.info.capabilities.restart) await first.start(time.now());
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    const { outcome, reason } = endedBy(error);
    state.stop = { outcome, reason: outcome === "skipped" ? reason : `not run: ${reason}` };
  }
  const play = async (vector: Vector) => {
    const stop = state.stop ?? asked(options);
    if (stop !== undefined) return take(vector, { result: notPlayed(vector, stop) });
    const outcome = await playVector(vector, stage, first, wallClock(time));
    const { result, fault } = outcome;
    if (fault === undefined) state.faults = 0;
    else if (!wasNotSent(fault) && !isSuspect(outcome) && state.stop === undefined) {
      state.stop = whyOver(fault, ++state.faults);
      if (state.stop !== undefined) options.abandon(state.stop.reason);
    }
    if (options.bail(result)) state.stop = BAILED;
    take(vector, outcome);
  };
  const patient = queue.filter(({ totalWaitMs }) => totalWaitMs > 0).map(play);
  const quick = queue.filter(({ totalWaitMs }) => totalWaitMs === 0).reverse();
  const lanes = Array.from({ length: most }, async () => {
    for (let vector = quick.pop(); vector !== undefined; vector = quick.pop()) await play(vector);
  });
  await Promise.all([...patient, ...lanes]);
  return state.stop;
}

/** Why nothing more is asked of a shared service after a fault, if that is so. */
function whyOver(fault: AdapterFault, inARow: number): Stop | undefined {
  const gone = whyGone(fault);
  if (gone !== undefined) return gone;
  const finding = findingOf(fault)?.finding;
  const many = finding?.kind !== "slow" && finding?.kind !== "hang" && inARow >= MOST_FAULTS_IN_STEPS;
  return fault.fatal || many ? broken(fault.message) : undefined;
}

/** One service that cannot be started anew, on a clock that can be moved: between two vectors everything expires. */
async function driveInTurn(
  queue: readonly Vector[],
  options: DriveOptions,
  take: (result: Result) => void,
): Promise<void> {
  const { stage } = options;
  let connection: Connection | undefined = options.first;
  let reading = stage.readingMs;
  let faults = 0;
  let stop: Stop | undefined;
  // What begins at one moment comes last, and in the order of time: the clock never goes back.
  const atMoments = (vector: Vector) => momentOf(vector.clock) ?? 0;
  for (const vector of [...queue].sort((one, other) => atMoments(one) - atMoments(other))) {
    const now = stop ?? asked(options);
    if (now !== undefined) {
      take(notPlayed(vector, now));
      continue;
    }
    const startMs = nextStart(vector.clock, reading + stage.contract.time.longestLifetimeMs + SURELY_OVER_MS);
    if (startMs === undefined) {
      take(notPlayed(vector, PASSED));
      continue;
    }
    const play = async (): Promise<PlayOutcome> => {
      if (connection === undefined) {
        // Where the way to the service has ended, so may have the service: another way may lead to a new one.
        connection = await options.adapter.connect(stage.contract);
        await connection.start(startMs);
      } else await connection.advance(startMs - reading);
      reading = startMs;
      const clock = virtualClock(connection, startMs);
      const outcome = await playVector(vector, stage, connection, clock);
      reading = clock.now();
      return outcome;
    };
    const { result, fault } = await play().catch((error: unknown) => {
      if (error instanceof AdapterFault) return notStarted(vector, error);
      throw error;
    });
    take(result);
    if (fault === undefined) {
      faults = 0;
      if (options.bail(result)) stop = BAILED;
    } else if (fault.fatal) {
      await connection?.close();
      connection = undefined;
      faults += 1;
      if (faults >= MOST_FAULTS) stop = broken(fault.message);
    }
  }
  if (connection !== options.first) await connection?.close();
}

/** What the user asked for while the run was on (Ctrl-C). */
function asked({ stopped }: DriveOptions): Stop | undefined {
  const reason = stopped();
  return reason === undefined ? undefined : { outcome: "skipped", reason };
}
