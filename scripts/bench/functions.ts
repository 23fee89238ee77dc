import { Bench } from "tinybench";
import type { Sample } from "./measure.ts";

/** For so long a function is called in each sample, and before it is timed, in ms. */
const TIMED_MS = 300;
const WARM_MS = 100;

/** The median time of a call, in seconds. */
export async function timeOf(call: () => unknown): Promise<Sample> {
  const bench = new Bench({ time: TIMED_MS, warmupTime: WARM_MS });
  bench.add("call", call);
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !("latency" in result)) throw new Error("the function could not be timed");
  return { value: result.latency.p50 / 1000 };
}
