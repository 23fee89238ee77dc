import { type Adapter, AdapterFault, type Connection } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { endedBy, findingOf, Interrupted, wasNotSent } from "../play/breakage.ts";
import { type SceneClock, virtualClock, wallClock } from "../play/clock.ts";
import { untilClearOfMark } from "../play/lateness.ts";
import { type PlayOutcome, playVector } from "../play/play.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { momentOf, nextStart, startTime } from "../play/start-times.ts";
import { RESTART } from "../vectors/need.ts";
import type { Vector } from "../vectors/vector.ts";
import { FaultCount, MOST_FAULTS, MOST_FAULTS_IN_STEPS } from "./fault-count.ts";
import type { Planned } from "./plan.ts";

/** Why the rest is left out after a failure, where the user wants it so. */
export const BAILED: Stop = { outcome: "skipped", reason: "not run: stopped at the first failure (--bail)" };
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

/** Why vectors are no longer played, and what becomes of them: where the adapter broke it is no mere skip. */
interface Stop {
  readonly outcome: "skipped" | "error";
  readonly reason: string;
  /** See `Result`. */
  readonly lacks?: readonly string[];
}

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
    else take(notPlayed(vector, { outcome: "skipped", ...skip }));
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
  const state = { stop: undefined as Stop | undefined };
  const faults = new FaultCount();
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
        faults.wentWell();
        take(result);
        if (options.bail(result)) state.stop = BAILED;
      } catch (error) {
        const { fault, result } = asFaultedVector(error, vector);
        take(result);
        // A program can be started anew; a server that is asked over HTTP is somebody else's.
        if (options.first.info.transport === "http") state.stop ??= whyGone(fault);
        if (fault.fatal) {
          await connection?.close();
          connection = undefined;
        }
        if (!counts(fault)) continue;
        const why = faults.note(fault);
        if (why !== undefined) state.stop = broken(why);
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
  { stage, time, onAgain }: DriveOptions,
): Promise<PlayOutcome> {
  const outcome = await playVector(
    vector,
    stage,
    connection,
    await startClock(vector, connection, stage, time),
  );
  if (!outcome.late) return outcome;
  try {
    await untilClear(stage, time);
    onAgain(1);
    const clock = await startClock(vector, connection, stage, time);
    return bothTries(outcome, await playVector(vector, stage, connection, clock));
  } catch (error) {
    if (error instanceof Interrupted) return outcome;
    throw error;
  }
}

/** Lets a minute of the service's clock end where one is about to. */
function untilClear({ contract, clockToleranceMs }: Stage, time: RealTime): Promise<void> {
  const ms = untilClearOfMark(time.now(), contract.time.markMs, clockToleranceMs);
  return time.sleep(ms, { for: "for a minute of the service's clock to begin" });
}

/** Whether a fault says that the adapter cannot be driven, rather than that one request was not answered. */
function counts(fault: AdapterFault): boolean {
  const finding = findingOf(fault)?.finding;
  return finding === undefined ? fault.fatal : finding.kind === "lost" && finding.alive === false;
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

/** Why nothing more is asked of a service that answers nothing. */
function whyGone(fault: AdapterFault): Stop | undefined {
  const finding = findingOf(fault)?.finding;
  if (finding?.alive !== false) return undefined;
  const how = finding.kind === "hang" ? "the service stands still" : "the service is gone";
  return broken(`${how}: ${fault.message}`);
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
    try {
      const startMs = nextStart(
        vector.clock,
        reading + stage.contract.time.longestLifetimeMs + SURELY_OVER_MS,
      );
      if (startMs === undefined) {
        take(notPlayed(vector, PASSED));
        continue;
      }
      if (connection === undefined) {
        // Where the way to the service has ended, so may have the service: another way may lead to a new one.
        connection = await options.adapter.connect(stage.contract);
        await connection.start(startMs);
      } else await connection.advance(startMs - reading);
      reading = startMs;
      const clock = virtualClock(connection, startMs);
      const { result, fault } = await playVector(vector, stage, connection, clock);
      reading = clock.now();
      if (fault !== undefined) throw new FaultedVector(fault, result);
      faults = 0;
      if (options.bail(result)) stop = BAILED;
      take(result);
    } catch (error) {
      const { fault, result } = asFaultedVector(error, vector);
      take(result);
      if (!fault.fatal) continue;
      await connection?.close();
      connection = undefined;
      faults += 1;
      if (faults >= MOST_FAULTS) stop = broken(fault.message);
    }
  }
  if (connection !== options.first) await connection?.close();
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
    return { fault: error, result: { ...notPlayed(vector, broken("")), ...endedBy(error) } };
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

function notPlayed(vector: Vector, { outcome, reason, lacks }: Stop): Result {
  return {
    id: vector.id,
    kind: "vector",
    title: vector.title,
    rules: vector.rules,
    outcome,
    reason,
    ...(lacks === undefined ? {} : { lacks }),
    source: vector.place,
    failures: [],
    incidental: [],
    observations: [],
    advice: [],
    trace: [],
  };
}
