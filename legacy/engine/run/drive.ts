import { AdapterFault, type Connection, MissingAnswer } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import { endedBy, findingOf, Interrupted, wasNotSent } from "../play/breakage.ts";
import { type SceneClock, virtualClock, wallClock } from "../play/clock.ts";
import { untilClearOfMark } from "../play/lateness.ts";
import type { Line } from "../play/line.ts";
import { Unmeasured } from "../play/measured.ts";
import { type PlayOutcome, playVector } from "../play/play.ts";
import type { RealTime } from "../play/real-time.ts";
import type { Result } from "../play/result.ts";
import { momentOf, nextStart, startTime } from "../play/start-times.ts";
import { RESTART } from "../vectors/need.ts";
import { allSteps } from "../vectors/needs.ts";
import type { Vector } from "../vectors/vector.ts";
import type { Planned } from "./plan.ts";
import { type Item, Pool, type PoolOptions, withSeen } from "./pool.ts";
import type { RunStage } from "./stage.ts";
import {
  BAILED,
  broken,
  MOST_FAULTS,
  MOST_FAULTS_IN_STEPS,
  notPlayed,
  notStarted,
  type Stop,
  whyGone,
} from "./stop.ts";

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
/** Kinds of steps that stand for many requests, by their class of `Item.length`; those of searches lie between. */
const LENGTH_OF_STEP: Readonly<Record<string, number>> = { custom: 3, repeat: 2 };

/** What vectors are played with. */
export interface DriveOptions extends Omit<PoolOptions, "measure" | "prepare" | "contract" | "asked"> {
  readonly stage: RunStage;
  readonly time: RealTime;
  /** Ends the waits of vectors under way: there is nobody left to ask. */
  readonly abandon: (reason: string) => void;
  /** Asked before each vector: whether to stop, and why (Ctrl-C). */
  readonly stopped: () => string | undefined;
  /** Told how many vectors are played once more. */
  readonly onAgain: (vectors: number) => void;
  /** Told of every result as it comes. */
  readonly onResult: (result: Result) => void;
  /** What is done after the vectors: asked for when all of these have begun, where each has a service of its own. */
  readonly searches?: Iterable<Item>;
}

/**
 * Plays the planned vectors, then what is searched.
 * @returns a result for each vector, in the order of the plan
 */
export async function drive(planned: readonly Planned[], options: DriveOptions): Promise<readonly Result[]> {
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
  const { clock, restart } = options.first.info.capabilities;
  const apart = (vector: Vector) => vector.needs.has("restart") || (clock === "virtual" && restart);
  const others = queue.filter((vector) => !apart(vector));
  // Where time cannot be moved, all that can share one service does, so that the waits run side by side.
  if (clock === "real") await driveTogether(others, options, take);
  else if (!restart) await driveInTurn(others, options, take);
  const items = queue.filter(apart).map((vector) => vectorItem(vector, options, take));
  await driveApart(items, options);
  return planned.flatMap(({ vector }) => results.get(vector.id) ?? []);
}

/** Does items on services of their own, on as many instances as there are. */
async function driveApart(items: readonly Item[], options: DriveOptions): Promise<void> {
  const { stage, time, searches } = options;
  const { contract, measured } = stage;
  const pool = new Pool({
    ...options,
    contract,
    asked: () => asked(options),
    measure: (probe, connection) => measured.measure(probe, connection),
    async prepare(connection) {
      measured.forget();
      await beginService(connection, stage, time);
    },
  });
  await pool.run(items, searches);
}

/**
 * Starts the service of a connection that was just opened, and asks who it is.
 * @returns as `Probes.checkIdentity` does; undefined also where it breaks, which whoever is asked next finds
 */
export async function beginService(
  connection: Connection,
  { measured, seed }: Pick<RunStage, "measured" | "seed">,
  time: RealTime,
): Promise<string | undefined> {
  const virtual = connection.info.capabilities.clock === "virtual";
  try {
    await connection.start(virtual ? startTime("between-seconds", seed) : time.now());
  } catch (error) {
    if (error instanceof AdapterFault) return undefined;
    throw error;
  }
  return measured.checkIdentity(connection);
}

/** A vector on a service of its own, as an item of a pool. */
function vectorItem(vector: Vector, options: DriveOptions, take: (result: Result) => void): Item {
  const [rule = ""] = vector.rules;
  const kinds = new Set(allSteps(vector.steps).map(({ kind }) => kind));
  // What a process hands on from the service that was made last to the next is seen only where both are the same
  // vector's, and what it hands on from one request to the next only where both are. A verb of the contract's own may
  // stand for thousands of requests.
  const always = kinds.has("restart");
  const alone = { always, group: always ? `restart ${rule}` : rule };
  return {
    ...(always || !kinds.has("custom") ? { alone } : {}),
    length: Math.max(0, ...[...kinds].map((kind) => LENGTH_OF_STEP[kind] ?? 0)),
    play: (connection) => playStarted(vector, connection, options),
    leftOut: (why) =>
      why instanceof AdapterFault ? notStarted(vector, why) : { result: notPlayed(vector, why) },
    done: ({ result }) => take(result),
  };
}

/** Starts a service and plays a vector on it; once more where time was short. */
async function playStarted(
  vector: Vector,
  connection: Line,
  { stage, time, onAgain }: Pick<DriveOptions, "stage" | "time" | "onAgain">,
): Promise<PlayOutcome> {
  const play = async () =>
    playVector(vector, stage, connection, await startClock(vector, connection, stage, time));
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
function untilClear({ contract, clockToleranceMs }: Stage, time: RealTime): Promise<void> {
  const ms = untilClearOfMark(time.now(), contract.time.markMs, clockToleranceMs);
  return time.sleep(ms, { for: "for a minute of the service's clock to begin" });
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
  // A service that cannot be started again was started when its connection was opened.
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
  const { adapter, stage } = options;
  const { contract, measured, seed } = stage;
  let connection: Line | undefined = options.first;
  let reading = startTime("between-seconds", seed);
  let faults = 0;
  let stop: Stop | undefined;
  const nextReading = ({ clock }: Vector) =>
    nextStart(clock, reading + contract.time.longestLifetimeMs + SURELY_OVER_MS);
  const play = async (vector: Vector, on: Stage, startMs: number): Promise<PlayOutcome> => {
    if (connection === undefined) {
      // Where the way to the service has ended, so may have the service: another way may lead to a new one.
      connection = await adapter.connect(contract);
      await connection.start(startMs);
    } else await connection.advance(startMs - reading);
    reading = startMs;
    const clock = virtualClock(connection, startMs);
    try {
      return await playVector(vector, on, connection, clock);
    } finally {
      reading = clock.now();
    }
  };
  // The service remembers the people of a play that a probe interrupted: then these are others.
  const playMeasured = async (vector: Vector, startMs: number): Promise<PlayOutcome> => {
    try {
      return await play(vector, stage, startMs);
    } catch (error) {
      if (!(error instanceof Unmeasured) || connection === undefined) throw error;
      reading = await measured.measure(error.probe, connection, reading);
      const again = await play(vector, { ...stage, again: true }, nextReading(vector) ?? reading);
      return withSeen(again, error.seen());
    }
  };
  // What begins at one moment comes last, and in the order of time: the clock never goes back.
  const atMoments = (vector: Vector) => momentOf(vector.clock) ?? 0;
  for (const vector of [...queue].sort((one, other) => atMoments(one) - atMoments(other))) {
    const startMs = nextReading(vector);
    const now = stop ?? asked(options) ?? (startMs === undefined ? PASSED : undefined);
    if (now !== undefined || startMs === undefined) {
      take(notPlayed(vector, now ?? PASSED));
      continue;
    }
    const { result, fault } = await playMeasured(vector, startMs).catch((error: unknown) => {
      if (error instanceof AdapterFault && !(error instanceof MissingAnswer))
        return notStarted(vector, error);
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
