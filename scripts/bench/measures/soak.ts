import { fileURLToPath } from "node:url";
import type { Measure } from "../measure.ts";
import { runWell } from "../processes.ts";

const PROGRAM = fileURLToPath(new URL("../services/soak.ts", import.meta.url));
const SOME = 100_000;
const ALL = 1_000_000;
const MEGABYTE = 1_000_000;

/** Whether the reference keeps anything that it has no use for. */
export const soak: Measure = {
  id: "reference/soak",
  title: "resident memory after 1,000,000 requests - after 100,000",
  unit: "MB",
  bar: { atMost: 10 },
  once: true,
  async open() {
    let after: readonly number[] = [];
    const words = [process.execPath, "--expose-gc", "--import", "tsx", PROGRAM, `${SOME}`, `${ALL}`];
    const side = (name: string, place: number) => ({
      name,
      unit: "MB",
      async sample() {
        if (after.length === 0) after = JSON.parse((await runWell(words)).output) as number[];
        return { value: (after[place] ?? Number.NaN) / MEGABYTE };
      },
    });
    return {
      sides: [side("after 100,000", 0), side("after 1,000,000", 1)],
      figure: (medians) =>
        (medians["after 1,000,000"] ?? Number.NaN) - (medians["after 100,000"] ?? Number.NaN),
    };
  },
};
