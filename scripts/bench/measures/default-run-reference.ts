import type { Measure } from "../measure.ts";
import { kit, runWell } from "../processes.ts";

export const defaultRunReference: Measure = {
  id: "default-run/reference",
  title: "default run of the reference, whole process",
  unit: "s",
  bar: { atMost: 2.5 },
  ofPrograms: true,
  async open() {
    return {
      sides: [{ name: "kit", unit: "s", sample: () => runWell(kit("run")) }],
      figure: ({ kit: seconds = Number.NaN }) => seconds,
    };
  },
};
