import { DEFAULT_RUNS, DEFAULT_SCRIPTS } from "../engine/search/default-runs.ts";
import type { GatedReport } from "../policies/gated-report.ts";
import { type Invocation, shellQuote } from "../reports/reproduction-command.ts";

/** How what a report tells of is asked for again, from this command line. */
export function invocationOf({ side, asked, shard, seed, runs }: GatedReport): Invocation {
  const replay = asked?.replay === undefined ? undefined : shellQuote(asked.replay);
  const service = replay === undefined ? "run" : `replay ${replay}`;
  const client = replay === undefined ? "client" : `client --replay ${replay}`;
  return {
    command: `${kitCommand()} ${side === "client" ? client : service}`,
    options: asked?.options ?? shard?.options ?? [],
    seed,
    ...(runs === (side === "client" ? DEFAULT_SCRIPTS : DEFAULT_RUNS) ? {} : { runs }),
    ...(asked?.inCode === undefined ? {} : { inCode: asked.inCode }),
  };
}

/** How the kit was started, as it can be typed again: by the script of its own package, or as an installed program. */
export function kitCommand(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["npm_lifecycle_event"] === "conformance"
    ? "npm run --silent conformance --"
    : "npx launch-draft-conformance";
}
