import type { Finding } from "../../contract/audit/findings.ts";
import { TrafficJudge } from "../../contract/audit/traffic-judge.ts";
import { RandomSource } from "../../engine/search/random-source.ts";
import { CUTS } from "./cuts.ts";
import type { RecordedRun } from "./record-run.ts";

/** What was found in all that was recorded of a run, once it was cut in this way. */
export function auditRun(run: RecordedRun, cut: string, seed = 1): readonly Finding[] {
  const draw = new RandomSource(seed);
  const make = CUTS[cut];
  if (make === undefined) throw new Error(`there is no cut "${cut}"`);
  const { items, options } = make(run.items, run, draw);
  const judge = new TrafficJudge(options);
  for (const item of items) judge.take(item);
  return judge.end().findings;
}
