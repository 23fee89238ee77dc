import { Worker } from "node:worker_threads";
import type { WorkThread } from "../proxy/beside.ts";
import type { LiveJudgeData } from "../proxy/live-judge.ts";
import type { RecorderData } from "../proxy/recorder.ts";

/** What a thread beside the traffic does. */
export type ProxyThreadData =
  | { readonly task: "record"; readonly recorder: RecorderData }
  | { readonly task: "judge"; readonly judge: LiveJudgeData };

/** A judge needs less for any traffic; one that takes more ends before the machine has none left. */
const MOST_MEGABYTES = 2_048;

const ENTRY = new URL("./proxy-thread-entry.mjs", import.meta.url);

/** Starts a thread beside the traffic. */
export function proxyThread<Told, End>(data: ProxyThreadData): WorkThread<Told, End> {
  return new Worker(ENTRY, {
    workerData: data,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
}
