import { TrafficJudge } from "../../../conformance/contract/audit/traffic-judge.ts";
import type { Recorded } from "../../../conformance/engine/audit/recorded.ts";
import type { Measure } from "../measure.ts";
import { memoryKept } from "../memory-kept.ts";
import { visits } from "../services/audited-traffic.ts";

const PEOPLE = 1_000;

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
export const auditSoak = memoryKept({
  id: "audit/soak",
  title: "resident memory after an audit of 1,000,000 exchanges - after 200,000",
  program: "audit-soak.ts",
  some: 200_000,
  all: 1_000_000,
  atMost: 50,
});
