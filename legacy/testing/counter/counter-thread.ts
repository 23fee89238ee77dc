/** The thread of a part of a run on a counter. */
import { workerData } from "node:worker_threads";
import { runInThread, type ThreadData } from "../../engine/run/run-threads.ts";
import { counter } from "./counter-service.ts";
import { counterOptions } from "./run-counter.ts";

/** What of a counter is to be broken. */
export interface CounterReach {
  readonly limit: number;
}

const data = workerData as ThreadData<CounterReach>;
const service = counter({ fits: (value) => value <= data.reach.limit });
await runInThread(data, counterOptions(service));
