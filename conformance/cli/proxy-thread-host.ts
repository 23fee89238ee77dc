/** The thread of what the proxy does beside the traffic: writes the recording, or judges. */
import { parentPort, workerData } from "node:worker_threads";
import { type WorkPort, workBeside } from "../proxy/beside.ts";
import type { ProxyThreadData } from "./proxy-threads.ts";

const data = workerData as ProxyThreadData;
const port = parentPort as WorkPort<unknown, unknown>;
if (data.task === "record") {
  const { Recorder } = await import("../proxy/recorder.ts");
  workBeside(port, new Recorder(data.recorder));
} else {
  const { LiveJudge } = await import("../proxy/live-judge.ts");
  workBeside(port, new LiveJudge(data.judge));
}
