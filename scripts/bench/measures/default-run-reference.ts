import type { Measure } from "../measure.ts";
import { kit, runWell } from "../processes.ts";

export const defaultRunReference: Measure = {
  id: "default-run/reference",
  title: "default run of the reference, whole process",
  unit: "s",
  bar: { atMost: 2.5 },
  why: [
    "Some 32,000 requests in two threads, and both cores are busy to the end. Of the instructions of a run in one thread 29 % are",
    "signatures: 12 to verify 4,600 proofs, 5 to sign them, 4 to make keys, and 7 that noble takes for what Node refused. Compiling",
    "takes 11, which a second thread does once more, garbage 5, and no function of the kit 2. Long random sequences are half of all",
    "(their faults are found in up to 19 of 24), vectors two fifths. Other settings of V8 (young heap, collector, machine code) gain nothing.",
  ],
  async open() {
    return {
      sides: [{ name: "kit", unit: "s", sample: () => runWell(kit("run")) }],
      figure: ({ kit: seconds = Number.NaN }) => seconds,
    };
  },
};
