import type { Measure } from "../measure.ts";
import { kit, runWell } from "../processes.ts";

export const defaultRunReference: Measure = {
  id: "default-run/reference",
  title: "default run of the reference, whole process",
  unit: "s",
  bar: { atMost: 2.5 },
  why: [
    "Some 32,000 requests in two threads, 0.16 ms of the processor each; 2.5 s are 0.13 ms. No part of that is large by itself: of a",
    "run in one thread (3.7 s) node:crypto takes 0.5 s for proofs that the kit signs and the reference verifies (a key 22 µs, a",
    "signature 21, a verification 61), the reference another 0.7, collecting garbage 0.2, and no function of the kit more than 0.08.",
  ],
  ofPrograms: true,
  async open() {
    return {
      sides: [{ name: "kit", unit: "s", sample: () => runWell(kit("run")) }],
      figure: ({ kit: seconds = Number.NaN }) => seconds,
    };
  },
};
