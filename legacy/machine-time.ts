import { setTimeout as sleep } from "node:timers/promises";
import type { RealTime } from "./engine/play/real-time.ts";

/** Time as the machine has it. */
export const MACHINE_TIME: Required<RealTime> = {
  now: () => Date.now(),
  sleep: (ms, { signal } = {}) => sleep(ms, undefined, signal && { signal }),
  precise: () => performance.now(),
};
