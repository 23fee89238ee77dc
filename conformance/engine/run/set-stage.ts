import { AdapterFault, type Connection, MissingAnswer } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import type { RealTime } from "../play/real-time.ts";
import { BETWEEN_SECONDS_MS } from "../play/start-times.ts";
import { EXACT } from "../play/timekeeping.ts";

/** A real clock on another machine may differ from the kit's by this much before a lifetime is called wrong. */
const REAL_CLOCK_TOLERANCE_MS = 5000;

/**
 * Starts the service and finds out what stays the same for every vector that is played on it.
 * @param onFault told what kept something from being measured
 */
export async function setStage(
  connection: Connection,
  given: Pick<Stage, "contract" | "seed">,
  time: RealTime,
  onFault: (fault: AdapterFault) => void = () => {},
): Promise<Stage> {
  const { contract, seed } = given;
  const real = connection.info.capabilities.clock === "real";
  // Time comes last: where the clock stands then is where the first vector finds it.
  const room = await orUsual(() => contract.measureRoom(connection, seed), {}, onFault);
  const measure = () => contract.measureTimekeeping(connection, seed, time);
  const usual = { timekeeping: EXACT, nowMs: BETWEEN_SECONDS_MS };
  const { timekeeping, nowMs } = await orUsual(measure, usual, onFault);
  return {
    contract,
    seed,
    timekeeping,
    readingMs: nowMs,
    clockToleranceMs: real ? REAL_CLOCK_TOLERANCE_MS : 0,
    room,
  };
}

/** A service that cannot even be measured is judged by its vectors, as one that does what most do. */
async function orUsual<Value>(
  read: () => Promise<Value>,
  usual: Value,
  onFault: (fault: AdapterFault) => void,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AdapterFault) || error instanceof MissingAnswer) throw error;
    onFault(error);
    return usual;
  }
}
