/**
 * Shows what the search adds to the vectors: services whose faults wait for several things to happen together conform
 * by the vectors alone, and properties find them and make short vectors of them that fail again.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { loadKitData } from "../conformance/cli/kit-data.ts";
import { isOfShard, parseShard } from "../conformance/engine/run/shard.ts";
import { hiddenServices } from "../conformance/mutants/hidden/sabotaged-services.ts";
import { type HiddenTrial, tryHidden } from "../conformance/mutants/hidden/try-hidden.ts";

/** Most steps of a vector that a person takes in at once. */
const MOST_STEPS = 8;
/** Longest search that people wait for, in s. */
const MOST_SECONDS = 30;
/** So many services at least must conform by the vectors alone, and so many of these must be found. */
const LEAST_HIDDEN = 30;
const LEAST_FOUND = 28;

interface Options {
  readonly seed: number;
  readonly runs: number;
  readonly jobs: number;
  readonly only: readonly string[];
  readonly shard?: string;
}

const options = new Command("hidden-faults")
  .option("--seed <n>", "seed of the search", Number, 1)
  .option("--runs <n>", "random cases of each property", Number, 1000)
  .option("--jobs <n>", "processes side by side", Number, availableParallelism())
  .option("--only <text...>", "only services whose name contains it", [])
  .option("--shard <i/n>", "only every nth service, from the ith")
  .parse()
  .opts<Options>();

const { shard } = options;
process.exitCode = await (shard === undefined ? tryAll(options) : tryShard(shard, options));

/** Tries every service in processes of their own, and holds the outcome to what the kit promises. */
async function tryAll({ seed, runs, jobs, only }: Options): Promise<number> {
  const trials: HiddenTrial[] = [];
  const script = fileURLToPath(import.meta.url);
  const shares = Array.from({ length: jobs }, (_, index) => `${index + 1}/${jobs}`);
  const children = shares.map((share) => {
    const words = ["--seed", `${seed}`, "--runs", `${runs}`, "--shard", share];
    if (only.length > 0) words.push("--only", ...only);
    const child = fork(script, words, { execArgv: ["--import", import.meta.resolve("tsx")] });
    child.on("message", (trial: HiddenTrial) => {
      trials.push(trial);
      process.stdout.write(`${lineOf(trial)}\n`);
    });
    return once(child, "exit");
  });
  const broke = (await Promise.all(children)).some(([status]) => status !== 0);
  const hidden = trials.filter(({ caughtBy }) => caughtBy.length === 0);
  const found = hidden.filter((trial) => isFound(trial));
  process.stdout.write(
    `${hidden.length} of ${trials.length} services conform by the vectors alone; ` +
      `the search finds ${found.length} of these within ${MOST_SECONDS} s each, in at most ${MOST_STEPS} steps that fail again\n`,
  );
  if (trials.length === 0) {
    process.stderr.write("hidden-faults: no service was tried\n");
    return 2;
  }
  const [leastHidden, leastFound] =
    only.length === 0 ? [LEAST_HIDDEN, LEAST_FOUND] : [trials.length, trials.length];
  return !broke && hidden.length >= leastHidden && found.length >= leastFound ? 0 : 1;
}

async function tryShard(text: string, { seed, runs, only }: Options): Promise<number> {
  const share = parseShard(text);
  if (share === undefined) return 2;
  const kit = loadKitData();
  const folder = mkdtempSync(join(tmpdir(), "hidden-faults-"));
  try {
    const chosen = hiddenServices.filter(
      ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
    );
    for (const [place, wrong] of chosen.entries()) {
      if (isOfShard(place, share)) process.send?.(await tryHidden(wrong, kit, { seed, runs, folder }));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.disconnect?.();
  return 0;
}

function isFound({ found }: HiddenTrial): boolean {
  if (found === undefined || found.steps > MOST_STEPS || found.seconds > MOST_SECONDS) return false;
  return found.failsAgain && found.referencePasses;
}

function lineOf({ name, caughtBy, found }: HiddenTrial): string {
  const vectors = caughtBy.length === 0 ? "hidden" : `caught by ${caughtBy.slice(0, 2).join(", ")}`;
  const search =
    found === undefined
      ? "not found"
      : `${found.property} case ${found.atCase}, ${found.seconds.toFixed(1)} s, ${found.steps} steps` +
        `${found.failsAgain ? "" : ", does not fail again"}${found.referencePasses ? "" : ", fails on the reference"}`;
  return `${vectors}; ${search}: ${name}`;
}
