import type { RealTime } from "../engine/play/real-time.ts";
import type { Chance } from "./chance.ts";
import type { Output } from "./output.ts";

/** What the edge of the program gives the golden commands. */
export interface GoldenEdge {
  readonly output: Output;
  readonly time: RealTime;
  readonly chance: Pick<Chance, "salt">;
}
