/** The thread of a part of a run: drives an implementation of its own, and hands its report over. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { loadKitData } from "../contract/kit-data.ts";
import type { Wait } from "../engine/play/real-time.ts";
import { runInThread, type ThreadData } from "../engine/run/run-threads.ts";
import { kitVersion } from "../paths.ts";
import { type AdapterOptions, selectAdapter } from "./select-adapter.ts";

const data = workerData as ThreadData<AdapterOptions>;
const { adapter } = await selectAdapter(data.reach, () => {});
try {
  const time = {
    now: () => Date.now(),
    sleep: (ms: number, { signal }: Wait = {}) => sleep(ms, undefined, signal && { signal }),
    precise: () => performance.now(),
  };
  const own = { ...loadKitData(), adapter, kitVersion: kitVersion(), time };
  parentPort?.postMessage(await runInThread(data, own));
} finally {
  await adapter.close();
}
