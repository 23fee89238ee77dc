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
import { Command, Option } from "commander";
import { loadModule } from "../legacy/adapters/load-module.ts";
import { loadKitData } from "../legacy/contract/kit-data.ts";
import { isOfShard, parseShard } from "../legacy/engine/run/shard.ts";
import { DEFAULT_DEPTH, DEFAULT_RUNS, DEFAULT_SEED } from "../legacy/engine/search/default-runs.ts";
import type { HiddenFault } from "../legacy/mutants/hidden/hidden-fault.ts";
import { hiddenFaults } from "../legacy/mutants/hidden/hidden-faults.ts";
import { summaryOfTrials } from "../legacy/mutants/hidden/trial-summary.ts";
import { type HiddenTrial, tryHidden } from "../legacy/mutants/hidden/try-hidden.ts";
import { PATHS } from "../legacy/paths.ts";

interface Options {
  readonly seeds: string;
  readonly runs: number;
  readonly exhaustive: number;
  readonly jobs: number;
  readonly only: readonly string[];
  readonly every: number;
  readonly from: number;
  readonly vectors?: boolean;
  readonly share?: string;
}

const options = new Command("hidden-faults")
  .option("--seeds <a-b>", "seeds of the search, from one to another or a single one", `${DEFAULT_SEED}`)
  .option("--runs <n>", "random cases of each property", Number, DEFAULT_RUNS)
  .option(
    "--exhaustive <depth>",
    "length of the sequences of which every one is tried",
    Number,
    DEFAULT_DEPTH,
  )
  .option("--jobs <n>", "processes side by side", Number, availableParallelism())
  .option("--only <text...>", "only services whose name contains it", [])
  .option("--every <n>", "of these only every nth", Number, 1)
  .option("--from <n>", "number of the first of these that --every takes, from 0", Number, 0)
  .option("--vectors", "play all vectors, too, none of which is to fail")
  // What a process is told that this one starts.
  .addOption(new Option("--share <i/n>", "of what is chosen, every nth service, from the ith").hideHelp())
  .parse()
  .opts<Options>();

const { share } = options;
process.exitCode = await (share === undefined ? tryAll(options) : tryShare(share, options));

/** Tries every service in processes of their own, and holds the outcome to what the kit promises. */
async function tryAll({
  seeds,
  runs,
  exhaustive,
  jobs,
  only,
  every,
  from,
  vectors,
}: Options): Promise<number> {
  const names = chosen({ only, every, from }).map(({ name }) => name);
  if (names.length === 0) {
    process.stderr.write("hidden-faults: --only matches no fault\n");
    return 2;
  }
  const trials: HiddenTrial[] = [];
  const script = fileURLToPath(import.meta.url);
  const shares = Array.from({ length: jobs }, (_, index) => `${index + 1}/${jobs}`);
  const children = shares.map((share) => {
    const words = ["--seeds", seeds, "--runs", `${runs}`, "--exhaustive", `${exhaustive}`];
    words.push("--every", `${every}`, "--from", `${from}`, "--share", share);
    if (vectors) words.push("--vectors");
    if (only.length > 0) words.push("--only", ...only);
    const child = fork(script, words, { execArgv: ["--import", import.meta.resolve("tsx")] });
    child.on("message", (done: readonly HiddenTrial[]) => {
      trials.push(...done);
      process.stdout.write(`${lineOf(done)}\n`);
    });
    return once(child, "exit");
  });
  const broke = (await Promise.all(children)).some(([status]) => status !== 0);
  const summaries = seedsOf(seeds).map((seed) => {
    const { text, good } = summaryOfTrials(
      names,
      trials.filter((trial) => trial.seed === seed),
    );
    process.stdout.write(`seed ${seed}: ${text}\n`);
    return good;
  });
  return !broke && summaries.every((good) => good) ? 0 : 1;
}

async function tryShare(
  text: string,
  { seeds, runs, exhaustive, only, every, from, vectors = false }: Options,
): Promise<number> {
  const share = parseShard(text);
  if (share === undefined || process.send === undefined) return 2;
  const kit = loadKitData();
  const reference = await loadModule(PATHS.reference);
  const folder = mkdtempSync(join(tmpdir(), "hidden-faults-"));
  const search = { seeds: seedsOf(seeds), runs, depth: exhaustive, folder, reference, vectors };
  try {
    for (const [place, fault] of chosen({ only, every, from }).entries()) {
      if (isOfShard(place, share)) process.send(await tryHidden(fault, kit, search));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.disconnect();
  return 0;
}

/** Every nth of the faults whose name has one of these texts in it; of all, where there are none. */
function chosen({ only, every, from }: Pick<Options, "only" | "every" | "from">): readonly HiddenFault[] {
  return hiddenFaults
    .filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
    .filter((_, place) => place % every === from);
}

/** The seeds of `3` or `1-10`. */
function seedsOf(text: string): readonly number[] {
  const [from = DEFAULT_SEED, to = from] = text.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_, place) => from + place);
}

/** A row of the table: how each seed fares with one fault. */
function lineOf(trials: readonly HiddenTrial[]): string {
  const [first] = trials;
  if (first === undefined) return "";
  const { name, caughtBy } = first;
  const vectors = caughtBy?.length === 0 ? "hidden; " : `caught by ${caughtBy?.slice(0, 2).join(", ")}; `;
  return `${caughtBy === undefined ? "" : vectors}${trials.map(cellOf).join(" | ")}: ${name}`;
}

function cellOf({ found }: HiddenTrial): string {
  if (found === undefined) return "not found";
  const { property, atCase, seconds, steps, failsAgain, referencePasses } = found;
  const odd = `${failsAgain ? "" : ", does not fail again"}${referencePasses ? "" : ", fails on the reference"}`;
  return `${property} ${atCase}, ${seconds.toFixed(1)} s, ${steps} steps${odd}`;
}
