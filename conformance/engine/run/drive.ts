import { type Adapter, AdapterFault, type Connection } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { type SceneClock, virtualClock, wallClock } from "../play/clock.ts";
import { untilClearOfMark } from "../play/lateness.ts";
import { type PlayOutcome, playVector } from "../play/play.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { momentOf, nextStart, startTime } from "../play/start-times.ts";
import type { Vector } from "../vectors/vector.ts";
import type { Planned } from "./plan.ts";

/** After so many faults in a row that end the connection, the rest is not tried. */
const MOST_FAULTS = 3;
/** After so many of one kind, though others went well in between: each costs a new start, and teaches nothing more. */
const MOST_OF_A_KIND = 10;
/** Why the rest is left out after a failure, where the user wants it so. */
export const BAILED: Stop = { outcome: "skipped", reason: "not run: stopped at the first failure (--bail)" };
/** Why a vector is left out that begins at one moment. */
const PASSED: Stop = {
  outcome: "skipped",
  reason: "needs an earlier moment than the clock shows, and the service cannot be started anew",
};
/** What is added to the longest lifetime, so that nothing of an earlier vector is alive. */
const SURELY_OVER_MS = 60_000;
/** Vectors under way at once against one shared service on a real clock. */
const SIDE_BY_SIDE = 16;

/** Why vectors are no longer played, and what becomes of them: where the adapter broke it is no mere skip. */
interface Stop {
  readonly outcome: "skipped" | "error";
  readonly reason: string;
}

export interface DriveOptions {
  readonly adapter: Adapter;
  /** An open connection to begin with. */
  readonly first: Connection;
  readonly stage: Stage;
  readonly time: RealTime;
  /** Whether to stop after this result. */
  readonly bail: (result: Result) => boolean;
  /** Asked before each vector: whether to stop, and why (Ctrl-C). */
  readonly stopped: () => string | undefined;
  /**
   * Gives 0, 1, 2 and so on: the place of the vector to play next, where several threads play from one list. Only for
   * services on a virtual clock that can be restarted.
   */
  readonly nextPlace?: () => number;
  /** Told of every result as it comes. */
  readonly onResult: (result: Result) => void;
}

/** Plays the planned vectors and gives a result for each, in the order of the plan. */
export async function drive(planned: readonly Planned[], options: DriveOptions): Promise<readonly Result[]> {
  const results = new Map<string, Result>();
  const take = (result: Result) => {
    results.set(result.id, result);
    options.onResult(result);
  };
  const queue: Vector[] = [];
  for (const { vector, skip } of planned) {
    if (skip === undefined) queue.push(vector);
    else take(notPlayed(vector, { outcome: "skipped", reason: skip }));
  }
  const { capabilities } = options.first.info;
  const alone = queue.filter(({ needs }) => needs.has("restart"));
  const others = queue.filter(({ needs }) => !needs.has("restart"));
  if (capabilities.clock === "real") {
    // Where time cannot be moved, all that can share one service does, so that the waits run side by side.
    await driveTogether(others, options, take);
    await driveSeparately(alone, options, take);
  } else if (capabilities.restart) await driveSeparately(queue, options, take);
  else await driveInTurn(others, options, take);
  return planned.flatMap(({ vector }) => results.get(vector.id) ?? []);
}

/** A service of its own for every vector, on as many connections side by side as the adapter offers. */
async function driveSeparately(
  queue: readonly Vector[],
  options: DriveOptions,
  take: (result: Result) => void,
): Promise<void> {
  let place = 0;
  const { nextPlace = () => place++ } = options;
  const next = () => queue[nextPlace()];
  const state = { stop: undefined as Stop | undefined, faults: 0 };
  const kinds = new Map<string, number>();
  const lanes = Array.from({ length: Math.min(options.adapter.jobs, queue.length) }, async (_, lane) => {
    let connection: Connection | undefined = lane === 0 ? options.first : undefined;
    for (let vector = next(); vector !== undefined; vector = next()) {
      const stop = state.stop ?? asked(options);
      if (stop !== undefined) {
        take(notPlayed(vector, stop));
        continue;
      }
      try {
        connection ??= await options.adapter.connect(options.stage.contract);
        const { result, fault } = await playStarted(vector, connection, options);
        if (fault !== undefined) throw new FaultedVector(fault, result);
        state.faults = 0;
        take(result);
        if (options.bail(result)) state.stop = BAILED;
      } catch (error) {
        const { fault, result } = asFaultedVector(error, vector);
        take(result);
        if (!fault.fatal) continue;
        await connection?.close();
        connection = undefined;
        state.faults += 1;
        const ofKind = (kinds.get(fault.message) ?? 0) + 1;
        kinds.set(fault.message, ofKind);
        if (state.faults >= MOST_FAULTS)
          state.stop = broken(`the adapter broke ${MOST_FAULTS} times in a row`);
        else if (ofKind >= MOST_OF_A_KIND)
          state.stop = broken(`the adapter broke ${MOST_OF_A_KIND} times in one way: ${fault.message}`);
      }
    }
    if (lane > 0) await connection?.close();
  });
  await Promise.all(lanes);
}

/** Starts a service and plays a vector on it; once more where time was short. */
async function playStarted(
  vector: Vector,
  connection: Connection,
  { stage, time }: DriveOptions,
): Promise<PlayOutcome> {
  const outcome = await playVector(vector, stage, connection, await startClock(vector, connection, time));
  if (!outcome.late) return outcome;
  await time.sleep(untilClearOfMark(time.now(), stage.contract.time.markMs, stage.clockToleranceMs));
  const clock = await startClock(vector, connection, time);
  return bothTries(outcome, await playVector(vector, stage, connection, clock));
}

/** What two tries of one vector show: the second counts, and nothing that was seen broken on the way is lost. */
function bothTries({ result: { incidental, advice } }: PlayOutcome, again: PlayOutcome): PlayOutcome {
  const { result } = again;
  const both = {
    incidental: [...incidental, ...result.incidental],
    advice: [...advice, ...result.advice],
  };
  return { ...again, result: { ...result, ...both } };
}

/**
 * One shared service. What ran too slowly to be judged is played once more when all else is over, by other people:
 * the service remembers those of the first time.
 */
async function driveTogether(
  queue: readonly Vector[],
  options: DriveOptions,
  take: (result: Result) => void,
): Promise<void> {
  const { stage, time } = options;
  const late = new Map<Vector, PlayOutcome>();
  const stop = await driveSideBySide(queue, options, (vector, outcome) => {
    if (outcome.late) late.set(vector, outcome);
    else take(outcome.result);
  });
  if (stop !== undefined) for (const { result } of late.values()) take(result);
  if (stop !== undefined || late.size === 0) return;
  await time.sleep(untilClearOfMark(time.now(), stage.contract.time.markMs, stage.clockToleranceMs));
  const again = { ...options, stage: { ...stage, again: true as const } };
  await driveSideBySide([...late.keys()], again, (vector, outcome) => {
    const first = late.get(vector);
    take((first === undefined ? outcome : bothTries(first, outcome)).result);
  });
}

/** Vectors side by side, each with people of its own, those that wait first. Gives why it stopped, if it did. */
async function driveSideBySide(
  queue: readonly Vector[],
  options: DriveOptions,
  take: (vector: Vector, outcome: PlayOutcome) => void,
): Promise<Stop | undefined> {
  if (queue.length === 0) return undefined;
  const { first, stage, time } = options;
  // A service that cannot be started again was started when its clock was read.
  if (first.info.capabilities.restart) await first.start(time.now());
  const state = { stop: undefined as Stop | undefined, faults: 0 };
  const play = async (vector: Vector) => {
    const stop = state.stop ?? asked(options);
    if (stop !== undefined) return take(vector, { result: notPlayed(vector, stop) });
    const outcome = await playVector(vector, stage, first, wallClock(time));
    const { result, fault } = outcome;
    state.faults = fault === undefined ? 0 : state.faults + 1;
    if (fault?.fatal || state.faults >= MOST_FAULTS * 4)
      state.stop = broken(fault?.message ?? "the adapter broke");
    if (options.bail(result)) state.stop = BAILED;
    take(vector, outcome);
  };
  const patient = queue.filter(({ totalWaitMs }) => totalWaitMs > 0).map(play);
  const quick = queue.filter(({ totalWaitMs }) => totalWaitMs === 0).reverse();
  const lanes = Array.from({ length: SIDE_BY_SIDE }, async () => {
    for (let vector = quick.pop(); vector !== undefined; vector = quick.pop()) await play(vector);
  });
  await Promise.all([...patient, ...lanes]);
  return state.stop;
}

/** One service that cannot be started anew, on a clock that can be moved: between two vectors everything expires. */
async function driveInTurn(
  queue: readonly Vector[],
  options: DriveOptions,
  take: (result: Result) => void,
): Promise<void> {
  const { first, stage } = options;
  let reading = stage.readingMs;
  let stop: Stop | undefined;
  // What begins at one moment comes last, and in the order of time: the clock never goes back.
  const atMoments = (vector: Vector) => momentOf(vector.clock) ?? 0;
  for (const vector of [...queue].sort((one, other) => atMoments(one) - atMoments(other))) {
    const now = stop ?? asked(options);
    if (now !== undefined) {
      take(notPlayed(vector, now));
      continue;
    }
    try {
      const startMs = nextStart(
        vector.clock,
        reading + stage.contract.time.longestLifetimeMs + SURELY_OVER_MS,
      );
      if (startMs === undefined) {
        take(notPlayed(vector, PASSED));
        continue;
      }
      await first.advance(startMs - reading);
      reading = startMs;
      const clock = virtualClock(first, startMs);
      const { result, fault } = await playVector(vector, stage, first, clock);
      reading = clock.now();
      if (fault?.fatal) stop = broken(fault.message);
      if (options.bail(result)) stop = BAILED;
      take(result);
    } catch (error) {
      const { fault, result } = asFaultedVector(error, vector);
      stop = broken(fault.message);
      take(result);
    }
  }
}

async function startClock(vector: Vector, connection: Connection, time: RealTime): Promise<SceneClock> {
  const virtual = connection.info.capabilities.clock === "virtual";
  const startMs = virtual ? startTime(vector.clock) : time.now();
  await connection.start(startMs);
  return virtual ? virtualClock(connection, startMs) : wallClock(time);
}

/** A fault of the adapter that ended a vector, with what the vector showed until then. */
class FaultedVector extends Error {
  readonly fault: AdapterFault;
  readonly result: Result;

  constructor(fault: AdapterFault, result: Result) {
    super(fault.message);
    this.fault = fault;
    this.result = result;
  }
}

/** A fault while connecting or starting stands for the whole vector. Anything else is the kit's own and goes up. */
function asFaultedVector(
  error: unknown,
  vector: Vector,
): { readonly fault: AdapterFault; readonly result: Result } {
  if (error instanceof FaultedVector) return error;
  if (error instanceof AdapterFault)
    return { fault: error, result: notPlayed(vector, { outcome: "error", reason: error.message }) };
  throw error;
}

/** What the user asked for while the run was on (Ctrl-C). */
function asked({ stopped }: DriveOptions): Stop | undefined {
  const reason = stopped();
  return reason === undefined ? undefined : { outcome: "skipped", reason };
}

function broken(why: string): Stop {
  return { outcome: "error", reason: `not run: ${why}` };
}

function notPlayed(vector: Vector, { outcome, reason }: Stop): Result {
  return {
    id: vector.id,
    kind: "vector",
    title: vector.title,
    rules: vector.rules,
    outcome,
    reason,
    source: vector.place,
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}
