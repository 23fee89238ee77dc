import type { Failure } from "./result.ts";
import { EXACT, type Timekeeping } from "./timekeeping.ts";

/** What is asked of a service besides vectors and searches, in the order in which reports tell what that showed. */
export const PROBE_NAMES = ["identity", "clock", "capacity"] as const;
/** What a probe asks for: who answers, how the service keeps time, and how little it has room for. */
export type ProbeName = (typeof PROBE_NAMES)[number];
/** What is measured once something depends on it. */
export type Probe = Exclude<ProbeName, "identity">;

/** Id of the result of a probe. */
export function probeId(name: ProbeName): string {
  return `probe/${name}`;
}

/** The ids of the results of all probes, in their order. */
export const PROBE_IDS: readonly string[] = PROBE_NAMES.map(probeId);

/** How little a service was seen to have room for, by the contract's own names; what has no name here is not scarce. */
export type Room = { readonly [name: string]: number | undefined };

/** What was measured of a service. */
export interface Measured {
  /** How the service keeps time. @throws {Unmeasured} before it was measured */
  readonly timekeeping: Timekeeping;
  /** How little the service has room for. @throws {Unmeasured} before it was measured */
  readonly room: Room;
}

/** A service that keeps time to the millisecond, and has room for everything. */
export const UNLIMITED: Measured = { timekeeping: EXACT, room: {} };

/** The play cannot go on before a probe has measured what it depends on: then it is to be played once more. */
export class Unmeasured extends Error {
  override readonly name = "Unmeasured";
  readonly probe: Probe;
  /** Returns what was wrong with the answers of the play that ended, as far as the probe has measured. */
  seen: () => readonly Failure[] = () => [];

  constructor(probe: Probe) {
    super(`depends on the ${probe} probe`);
    this.probe = probe;
  }
}
