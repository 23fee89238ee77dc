import { fileURLToPath } from "node:url";
import type { Measure } from "./measure.ts";
import { runWell } from "./processes.ts";

const MEGABYTE = 1_000_000;

/** What of a program's memory is to be measured. */
export interface MemoryKept {
  readonly id: string;
  /** What is counted, as the title names it. */
  readonly title: string;
  /** A file of `services`: it is given the two counts, and prints the resident memory after each, in bytes, as a JSON array. */
  readonly program: string;
  readonly some: number;
  readonly all: number;
  /** How much more there may be after all than after some, in MB. */
  readonly atMost: number;
}

/** Whether a program keeps anything that it has no use for: its resident memory after all, less that after some. */
export function memoryKept({ id, title, program, some, all, atMost }: MemoryKept): Measure {
  const path = fileURLToPath(new URL(`services/${program}`, import.meta.url));
  const [first, last] = [some, all].map((count) => `after ${count.toLocaleString("en")}`) as [string, string];
  return {
    id,
    title,
    unit: "MB",
    bar: { atMost },
    once: true,
    async open() {
      let after: readonly number[] = [];
      const words = [process.execPath, "--expose-gc", "--import", "tsx", path, `${some}`, `${all}`];
      const side = (name: string, place: number) => ({
        name,
        unit: "MB",
        async sample() {
          if (after.length === 0) after = JSON.parse((await runWell(words)).output) as number[];
          return { value: (after[place] ?? Number.NaN) / MEGABYTE };
        },
      });
      return {
        sides: [side(first, 0), side(last, 1)],
        figure: (medians) => (medians[last] ?? Number.NaN) - (medians[first] ?? Number.NaN),
      };
    },
  };
}
