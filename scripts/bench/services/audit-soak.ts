/** Audits exchanges in two goes, and prints the resident memory after each as JSON. */
import { TrafficJudge } from "../../../conformance/contract/audit/traffic-judge.ts";
import { again, visits } from "./audited-traffic.ts";

const [some = 0, all = 0] = process.argv.slice(2).map(Number);
const judge = new TrafficJudge({ complete: false, facts: {}, clockDoubtMs: 0 });
const resident: number[] = [];
let judged = 0;
for (const item of again(await visits(200), all)) {
  judge.take(item);
  judged += 1;
  if (judged === some) resident.push(residentBytes());
}
const { found } = judge.end();
if (found > 0) throw new Error(`${found} findings in legal traffic`);
resident.push(residentBytes());
process.stdout.write(`${JSON.stringify(resident)}\n`);

function residentBytes(): number {
  global.gc?.();
  return process.memoryUsage().rss;
}
