/** The thread of a part of a run: drives an implementation of its own, and hands its report over. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { AdapterFault } from "../adapters/adapter.ts";
import { run } from "../engine/run/run.ts";
import { kitVersion } from "../paths.ts";
import { loadKitData } from "./kit-data.ts";
import { INTERRUPTED } from "./output.ts";
import { DONE, NEXT, STOP, type ThreadData, type ThreadEnd } from "./run-threads.ts";
import { selectAdapter } from "./select-adapter.ts";

const { reach, accepted, memory, ...options } = workerData as ThreadData;
const shared = new Int32Array(memory);

parentPort?.postMessage(await ran());

async function ran(): Promise<ThreadEnd> {
  const { adapter } = await selectAdapter(reach, () => {});
  try {
    return {
      report: await run({
        ...loadKitData(),
        ...options,
        adapter,
        kitVersion: kitVersion(),
        only: [],
        bail: false,
        accepted: new Set(accepted),
        time: { now: () => Date.now(), sleep },
        stopped: () => (Atomics.load(shared, STOP) === 0 ? undefined : INTERRUPTED),
        nextPlace: () => Atomics.add(shared, NEXT, 1),
        onResult: () => Atomics.add(shared, DONE, 1),
      }),
    };
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error;
    const { message, fatal, log } = error;
    return { fault: { message, fatal, ...(log === undefined ? {} : { log }) } };
  } finally {
    await adapter.close();
  }
}
