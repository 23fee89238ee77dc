import { fileURLToPath } from "node:url";
import { TrafficJudge } from "../../../conformance/contract/audit/traffic-judge.ts";
import type { Recorded } from "../../../conformance/engine/audit/recorded.ts";
import type { Measure } from "../measure.ts";
import { runWell } from "../processes.ts";
import { visits } from "../services/audited-traffic.ts";

const PEOPLE = 1_000;
const PROGRAM = fileURLToPath(new URL("../services/audit-soak.ts", import.meta.url));
const SOME = 200_000;
const ALL = 1_000_000;
const MEGABYTE = 1_000_000;

/** How fast recorded traffic is judged on one core, each proof weighed once. */
export const auditRate: Measure = {
  id: "audit/rate",
  title: "recorded exchanges judged a second of processor time, each proof weighed once",
  unit: "1/s",
  bar: { atLeast: 5_000 },
  async open() {
    const items = await visits(PEOPLE);
    return {
      sides: [{ name: "audit", unit: "1/s", sample: async () => ({ value: rateOf(items) }) }],
      figure: (medians) => medians["audit"] ?? Number.NaN,
    };
  },
};

function rateOf(items: readonly Recorded[]): number {
  const judge = new TrafficJudge({ complete: false, facts: {}, clockDoubtMs: 0 });
  const before = process.cpuUsage();
  for (const item of items) judge.take(item);
  const { found } = judge.end();
  const { user, system } = process.cpuUsage(before);
  if (found > 0) throw new Error(`${found} findings in legal traffic`);
  return items.length / ((user + system) / 1e6);
}

/** Whether an audit keeps anything of a million exchanges that it has no use for. */
export const auditSoak: Measure = {
  id: "audit/soak",
  title: "resident memory after an audit of 1,000,000 exchanges - after 200,000",
  unit: "MB",
  bar: { atMost: 50 },
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
      sides: [side("after 200,000", 0), side("after 1,000,000", 1)],
      figure: (medians) =>
        (medians["after 1,000,000"] ?? Number.NaN) - (medians["after 200,000"] ?? Number.NaN),
    };
  },
};
