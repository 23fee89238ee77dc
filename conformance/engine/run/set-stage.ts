import { AdapterFault, type Connection } from "../../adapters/adapter.ts";
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
    resolutionMs: await orUsual(() => contract.measureClockResolution(connection, seed, time), 1),
    clockToleranceMs: real ? REAL_CLOCK_TOLERANCE_MS : 0,
    room: await orUsual(() => contract.measureRoom(connection, seed), {}),
  };
}

/** A service that cannot even be measured is judged by its vectors, as one that does what most do. */
async function orUsual<Value>(read: () => Promise<Value>, usual: Value): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AdapterFault) return usual;
    throw error;
  }
}
