/** Judges mutants and conforming variants by vectors or properties. */
import { type ChildProcess, fork } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { loadTrials } from "../clients/load.ts";
import { readClientContract, readServiceContract } from "../contract/contract.ts";
import { DataError } from "../data/data-file.ts";
import { loadKitVectors } from "../suite/load.ts";
import { type Entry, readEntries } from "./entries.ts";
import type { Problems } from "./judge.ts";

const USAGE = `Usage: tsx main.ts [GLOB...] [options]

Judges mutants and variants whose IDs match a GLOB (default: all, except mutants that test a property).

  --clients         judge mutants and conforming variants of the example client
  --mutants         judge only mutants
  --conforming      judge only conforming variants
  --sample <n>      judge a sample of n mutants and n conforming variants
  --seed <n>        seed of the sample (default: 1)
  --properties <n>  judge only conforming variants, with properties and n seeds (default: with vectors)
  --jobs <n>        number of processes (default: 2)
  --verbose         print all problems of a mutant or variant (default: only the first)
`;

/** The options or arguments are invalid. */
class UsageError extends Error {}

/** @throws {UsageError} */
function readOptions(args: string[]) {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  const options = {
    ...{ clients: flag, mutants: flag, conforming: flag, verbose: flag },
    ...{ sample: text, seed: text, properties: text, jobs: text },
  };
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const number = (name: "sample" | "seed" | "properties" | "jobs") => {
      const value = values[name];
      if (value !== undefined && !/^[1-9]\d*$/.test(value))
        throw new UsageError(`--${name} must be a positive integer, got ${value}`);
      return value === undefined ? undefined : Number(value);
    };
    const seeds = number("properties");
    const isConforming = values.conforming || seeds !== undefined;
    const isBoth = values.mutants === isConforming && seeds === undefined;
    const kinds: readonly Entry["kind"][] = isBoth
      ? ["mutant", "variant"]
      : [isConforming ? "variant" : "mutant"];
    return {
      globs: positionals,
      isOfClients: values.clients,
      kinds,
      sample: number("sample"),
      seeds,
      seed: number("seed") ?? 1,
      jobs: number("jobs") ?? 2,
      isVerbose: values.verbose,
    };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** The options of the command, and of its processes. */
export type Options = ReturnType<typeof readOptions>;

/**
 * Selects the entries to judge. Mutants that test a property are selected only by name. The same seed
 * always gives the same sample.
 */
function select(entries: readonly Entry[], { globs, kinds, sample, seed }: Options): readonly Entry[] {
  const isNamed = picomatch(globs);
  const isChosen = (entry: Entry) => (globs.length === 0 ? !("property" in entry) : isNamed(entry.id));
  const selected = entries.filter((entry) => kinds.includes(entry.kind) && isChosen(entry));
  if (sample === undefined) return selected;
  const ranked = selected.map((entry) => ({ entry, rank: hash("sha256", `${seed} ${entry.id}`) }));
  const shuffled = ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ entry }) => entry);
  return kinds.flatMap((kind) => shuffled.filter((entry) => entry.kind === kind).slice(0, sample));
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Judges the selected entries. Returns whether all mutants are caught and all variants accepted. */
async function main(options: Options): Promise<boolean> {
  const { isOfClients, globs, isVerbose } = options;
  const contract = isOfClients ? readClientContract() : readServiceContract();
  const entries = select(readEntries(contract, isOfClients), options);
  if (entries.length === 0)
    throw new UsageError(
      `no mutant or variant matches ${globs.join(" ")}; IDs begin with an area: draft/…, conforming/…`,
    );
  // Every process needs the tests. An error in their data is reported once, before the first one starts.
  if (isOfClients) loadTrials(contract);
  else loadKitVectors(contract);
  const good: Entry[] = [];
  await judgeInProcesses(entries, options, (entry, problems) => {
    if (problems.length === 0) {
      good.push(entry);
      return;
    }
    const shown = isVerbose ? problems : problems.slice(0, 1);
    const rest = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
    const title = `${entry.id} ${entry.kind === "mutant" ? "survives" : "is rejected"}:`;
    print([title, ...shown, ...rest].join("\n  "));
  });
  const share = (kind: Entry["kind"]) =>
    [good, entries].map((some) => some.filter((entry) => entry.kind === kind).length).join(" of ");
  print(
    `${share("mutant")} mutants caught, each by all rules that it names; ` +
      `${share("variant")} conforming variants accepted`,
  );
  return good.length === entries.length;
}

/** Time limit for one entry, in ms. A mutant may loop forever. */
const TIME_LIMIT_MS = 900_000;

/** Judges entries in child processes. @param onJudged called with each judged entry */
async function judgeInProcesses(
  entries: readonly Entry[],
  options: Options,
  onJudged: (entry: Entry, problems: Problems) => void,
): Promise<void> {
  const waiting = entries.values();
  const work = async () => {
    let worker: ChildProcess | undefined;
    for (const entry of waiting) {
      worker ??= startWorker(options);
      const problems = await judgeIn(worker, entry.id);
      if (problems === undefined) {
        worker.kill("SIGKILL");
        worker = undefined;
      }
      onJudged(entry, problems ?? ["the process ended, or took too long"]);
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, entries.length) }, work));
}

function startWorker(options: Options): ChildProcess {
  return fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(options)], {
    execArgv: ["--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Returns the problems of an entry, or undefined if the process ended or exceeded the time limit. */
async function judgeIn(worker: ChildProcess, id: string): Promise<Problems | undefined> {
  const judged = new AbortController();
  const signal = AbortSignal.any([judged.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const event = (name: string) => once(worker, name, { signal }).catch(() => []);
  worker.send(id);
  const [problems] = await Promise.race([event("message"), event("exit").then(() => [])]);
  judged.abort();
  return problems;
}

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof DataError || error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
  process.exitCode = 2;
}
