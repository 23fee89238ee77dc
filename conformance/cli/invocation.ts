import { DEFAULT_RUNS } from "../engine/search/default-runs.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { type Invocation, shellQuote } from "../reports/reproduction-command.ts";
import { kitCommand } from "./kit-command.ts";

/** How what a report tells of is asked for again, from this command line. */
export function invocationOf({ asked, shard, seed, runs }: GatedReport): Invocation {
  const { recordings } = asked ?? {};
  const verb =
    recordings !== undefined
      ? recordings.length === 0
        ? "proxy"
        : `audit ${recordings.map(shellQuote).join(" ")}`
      : asked?.replay === undefined
        ? "run"
        : `replay ${shellQuote(asked.replay)}`;
  return {
    command: `${kitCommand()} ${verb}`,
    options: asked?.options ?? shard?.options ?? [],
    seed,
    ...(runs === DEFAULT_RUNS ? {} : { runs }),
    ...(asked?.inCode === undefined ? {} : { inCode: asked.inCode }),
    ...(recordings === undefined ? {} : { whole: true }),
  };
}
