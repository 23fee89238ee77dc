/** The thread of a part of a run: drives an implementation of its own, and hands its report over. */
import { workerData } from "node:worker_threads";
import { loadKitData } from "../contract/kit-data.ts";
import { runInThread, type ThreadData } from "../engine/run/run-threads.ts";
import { MACHINE_TIME } from "../machine-time.ts";
import { kitVersion } from "../paths.ts";
import { type AdapterOptions, selectAdapter } from "./select-adapter.ts";

const data = workerData as ThreadData<AdapterOptions>;
const { adapter } = await selectAdapter(data.reach, () => {});
try {
  const own = { ...loadKitData(), adapter, kitVersion: kitVersion(), time: MACHINE_TIME };
  await runInThread(data, own);
} finally {
  await adapter.close();
}
