import type { Command } from "commander";
import { CONTRACT_ID } from "../contract/operations.ts";
import { DEFAULT_SCRIPTS, DEFAULT_SEED } from "../engine/search/default-runs.ts";
import { holding, inTime, telling } from "./implementation-options.ts";
import { positiveNumber, seed, shard, wholeNumber } from "./option-values.ts";

/** The options of `client`. */
export function judgingClients(command: Command) {
  const driving = command
    .option("--module <file>", "a JavaScript or TypeScript module that exports launch")
    .option("--command <cmd>", "a command that is given a task on standard input, and writes its result")
    .option("--resident", "with --command: it stays, and takes tasks as JSON-RPC lines")
    .option("--facts <file>", "with --command: the client protocol's facts, as YAML or JSON")
    .addOption(inTime("--timeout <duration>", "time limit for one task; 0 for none").default(5000, "5s"))
    .option("--only <glob...>", "only vectors and searches whose id matches", [])
    .option("--seed <n>", "seed of all key pairs, or `random`", seed, DEFAULT_SEED)
    .option("--runs <n>", "random scripts that the search tries; 0 for none", wholeNumber, DEFAULT_SCRIPTS)
    .option("--bail", "stop at the first failure", false)
    .option(
      "--jobs <n>",
      "processes side by side: 1 unless told (with --command: two for each core)",
      positiveNumber,
    );
  return holding(telling(driving))
    .option(
      "--failed [report]",
      "only what failed or was an error last time: in the run that is remembered, or in a json report",
    )
    .option("--suite <name>", `judge by what counted in a release, ${CONTRACT_ID}@VERSION`)
    .option(
      "--watch",
      "judge again at each save, first what failed last time: a module's files, or those of --restart-on",
    )
    .option("--restart-on <glob...>", "with --watch: files at whose change to judge again")
    .option("--shard <i/n>", "do the i-th of n parts of the run; `merge` makes one report of them", shard)
    .option("--replay <file>", "play the vectors of a file in place of the kit's own");
}
