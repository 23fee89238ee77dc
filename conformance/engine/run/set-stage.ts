import {
  AdapterFault,
  type Connection,
  type ImplementationInfo,
  MissingAnswer,
} from "../../adapters/adapter.ts";
import type { AskElsewhere, Contract, Stage } from "../contract.ts";
import type { RealTime } from "../play/real-time.ts";
import { runLabel } from "../play/run-label.ts";
import { startTime } from "../play/start-times.ts";
import { EXACT } from "../play/timekeeping.ts";
import { type Salt, saltFor } from "./salt.ts";

/** A real clock on another machine may differ from the kit's by this much before a lifetime is called wrong. */
const REAL_CLOCK_TOLERANCE_MS = 5000;

/** What a stage is made of. */
export interface StageGiven extends Pick<Stage, "contract" | "seed"> {
  /** Counts where the service may remember other runs. */
  readonly salt?: Salt;
}

/**
 * Finds out what {@link setStage} does, of several services at once.
 * @returns undefined where that has to be found out when nothing else is under way
 */
export async function setStageSideBySide(
  elsewhere: AskElsewhere,
  info: ImplementationInfo,
  { contract, seed, salt: given }: StageGiven,
): Promise<Stage | undefined> {
  const salt = saltFor(info, given);
  const run = { seed, ...(salt === undefined ? {} : { salt }) };
  const startMs = startTime("between-seconds", seed);
  const measured = await orUsual(
    async () => contract.measureSideBySide?.(elsewhere, info, runLabel(run), startMs),
    undefined,
  );
  return measured === undefined ? undefined : { ...plainStage(contract, seed), ...run, ...measured };
}

/** Starts the service and finds out what stays the same for every vector that is played on it. */
export async function setStage(connection: Connection, given: StageGiven, time: RealTime): Promise<Stage> {
  const { contract, seed } = given;
  const salt = saltFor(connection.info, given.salt);
  const label = runLabel({ seed, ...(salt === undefined ? {} : { salt }) });
  const real = connection.info.capabilities.clock === "real";
  const startMs = startTime("between-seconds", seed);
  // Time comes last: where the clock stands then is where the first vector finds it.
  const room = await orUsual(() => contract.measureRoom(connection, label, startMs), {});
  const { timekeeping, nowMs } = await orUsual(
    () => contract.measureTimekeeping(connection, label, startMs, time),
    {
      timekeeping: EXACT,
      nowMs: startMs,
    },
  );
  return {
    contract,
    seed,
    ...(salt === undefined ? {} : { salt }),
    timekeeping,
    readingMs: nowMs,
    clockToleranceMs: real ? REAL_CLOCK_TOLERANCE_MS : 0,
    room,
  };
}

/** A stage for a service on a clock that can be moved, which keeps time to the millisecond and has room: nothing is measured. */
export function plainStage(contract: Contract, seed: number): Stage {
  return {
    contract,
    seed,
    timekeeping: EXACT,
    readingMs: startTime("between-seconds", seed),
    clockToleranceMs: 0,
  };
}

/** A service that cannot even be measured is judged by its vectors, as one that does what most do. */
async function orUsual<Value>(read: () => Promise<Value>, usual: Value): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AdapterFault) || error instanceof MissingAnswer) throw error;
    return usual;
  }
}
