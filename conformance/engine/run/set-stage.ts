import { AdapterFault, type Connection, MissingAnswer } from "../../adapters/adapter.ts";
import type { Stage } from "../contract.ts";
import type { RealTime } from "../play/real-time.ts";

/** A real clock on another machine may differ from the kit's by this much before a lifetime is called wrong. */
const REAL_CLOCK_TOLERANCE_MS = 5000;

/** Starts the service and finds out what stays the same for every vector that is played on it. */
export async function setStage(
  connection: Connection,
  given: Pick<Stage, "contract" | "seed">,
  time: RealTime,
): Promise<Stage> {
  const { contract, seed } = given;
  const real = connection.info.capabilities.clock === "real";
  return {
    contract,
    seed,
    resolutionMs: await orOneMillisecond(() => contract.measureClockResolution(connection, seed, time)),
    clockToleranceMs: real ? REAL_CLOCK_TOLERANCE_MS : 0,
  };
}

/** A service that cannot even be measured is judged by its vectors, on a clock of one millisecond. */
async function orOneMillisecond(read: () => Promise<number>): Promise<number> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AdapterFault && !(error instanceof MissingAnswer)) return 1;
    throw error;
  }
}
