import { CHANCE } from "../cli/chance.ts";
import { main, type ProgramEdge } from "../cli/program.ts";
import { MACHINE_TIME } from "../machine-time.ts";

/** What a command of the kit printed, and how it ended. */
export interface CliOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line to its end in this process, with output that is no terminal; nobody asks it to stop.
 * @param running what else a run is given by the edge; runs are not remembered unless told
 */
export async function runCli(
  words: readonly string[],
  running: ProgramEdge["running"] = {},
): Promise<CliOutcome> {
  let [stdout, stderr] = ["", ""];
  const status = await main(words, {
    output: {
      out: (text) => {
        stdout += text;
      },
      err: (text) => {
        stderr += text;
      },
      color: false,
      width: 110,
      live: false,
    },
    time: MACHINE_TIME,
    chance: CHANCE,
    beginRun: () => () => undefined,
    running,
    stop: () => new Promise(() => {}),
  });
  return { status, stdout, stderr };
}
