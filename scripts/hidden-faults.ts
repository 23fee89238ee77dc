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
import { loadModule } from "../conformance/adapters/load-module.ts";
import { loadKitData } from "../conformance/contract/kit-data.ts";
import { isOfShard, parseShard } from "../conformance/engine/run/shard.ts";
import type { HiddenFault } from "../conformance/mutants/hidden/hidden-fault.ts";
import { hiddenFaults } from "../conformance/mutants/hidden/hidden-faults.ts";
import { summaryOfTrials } from "../conformance/mutants/hidden/trial-summary.ts";
import { type HiddenTrial, tryHidden } from "../conformance/mutants/hidden/try-hidden.ts";
import { PATHS } from "../conformance/paths.ts";

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
  const names = chosen(only).map(({ name }) => name);
  if (names.length === 0) {
    process.stderr.write("hidden-faults: --only matches no fault\n");
    return 2;
  }
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
  const { text, good } = summaryOfTrials(names, trials);
  process.stdout.write(`${text}\n`);
  return !broke && good ? 0 : 1;
}

async function tryShard(text: string, { seed, runs, only }: Options): Promise<number> {
  const share = parseShard(text);
  if (share === undefined) return 2;
  const kit = loadKitData();
  const reference = await loadModule(PATHS.reference);
  const folder = mkdtempSync(join(tmpdir(), "hidden-faults-"));
  const search = { seed, runs, folder, reference };
  try {
    for (const [place, fault] of chosen(only).entries()) {
      if (isOfShard(place, share)) process.send?.(await tryHidden(fault, kit, search));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.disconnect?.();
  return 0;
}

/** The faults whose name has one of these texts in it; all, where there are none. */
function chosen(only: readonly string[]): readonly HiddenFault[] {
  return hiddenFaults.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
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
