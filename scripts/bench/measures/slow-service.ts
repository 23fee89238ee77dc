import { type Measure, ratio } from "../measure.ts";
import { kit, runWell } from "../processes.ts";
import { asCommand, stdioService } from "../recorded.ts";

const INSTANCES = ["--instances", "64"];

/** What latency costs where the service can be had many times over. */
export const slowService: Measure = {
  id: "slow-service",
  title: "a service with 25 ms a request, `instances: 64` / the same service with 0 ms",
  bar: { atMost: 4 },
  why: [
    "22,000 requests of 26 ms on 64 services take 9 s where none of them is ever idle; the longest part of a search, which one service",
    "answers since each answer may hang on those before it, takes 280 and so 7 s. Before that, 25 are asked one after the other to",
    "measure the service (0.7 s), and 28 vectors restart it (130 requests, 3.3 s): beside those no other service may be started, or",
    "what one hands on to the next would not be seen.",
  ],
  async open() {
    const run = (...options: readonly string[]) =>
      runWell(kit("run", "--command", asCommand(stdioService(...INSTANCES, ...options))));
    return {
      sides: [
        { name: "25 ms", unit: "s", sample: () => run("--delay", "25") },
        { name: "0 ms", unit: "s", sample: () => run() },
      ],
      figure: ratio("25 ms", "0 ms"),
    };
  },
};
