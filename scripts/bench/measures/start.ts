import type { Measure } from "../measure.ts";
import { ratio } from "../measure.ts";
import { kit, runWell } from "../processes.ts";

/** What each command is asked for, from its start to its end. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "one vector": ["run", "--only", "platform/constants"],
  help: ["--help"],
  list: ["list"],
  explain: ["explain", "CHALLENGE-23"],
};
const ONE = "one vector";
const NODE = "bare Node";

async function open() {
  const sides = Object.entries(COMMANDS).map(([name, options]) => ({
    name,
    unit: "s",
    sample: () => runWell(kit(...options)),
  }));
  return [...sides, { name: NODE, unit: "s", sample: () => runWell([process.execPath, "--eval", "0"]) }];
}

/** From the start of the whole process to the end of one vector. */
export const start: Measure = {
  id: "start/seconds",
  title: "start to first result, whole process",
  unit: "s",
  bar: { atMost: 0.35 },
  open: async () => ({ sides: await open(), figure: (medians) => medians[ONE] ?? Number.NaN }),
};

export const startBesideNode: Measure = {
  id: "start/beside-node",
  title: "start to first result, whole process / bare Node",
  bar: { atMost: 10 },
  open: async () => ({ sides: await open(), figure: ratio(ONE, NODE) }),
};
