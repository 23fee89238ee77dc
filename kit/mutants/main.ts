/** Judges mutants and conforming variants of the reference by the vectors. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { readContract } from "../contract/contract.ts";
import { DataError } from "../contract/yaml.ts";
import { DATA_FOLDER, type Entry, readEntries } from "./entries.ts";
import { judgeInProcesses } from "./pool.ts";

const USAGE = `Usage: tsx main.ts [GLOB...] [options]

Judges mutants and conforming variants of the reference whose IDs match (default: all).

  --mutants       judge only mutants
  --conforming    judge only conforming variants
  --sample <n>    judge n entries of each kind
  --seed <n>      seed of the sample (default: 1)
  --jobs <n>      number of processes (default: 2)
  --verbose       print each problem of an entry (default: the first)
`;

/** The options or arguments are invalid. */
class UsageError extends Error {}

interface Options {
  readonly globs: readonly string[];
  readonly kinds: ReadonlySet<Entry["kind"]>;
  /** Number of entries of each kind, or undefined for all. */
  readonly sample: number | undefined;
  readonly seed: number;
  readonly jobs: number;
  readonly isVerbose: boolean;
}

/** @throws {UsageError} */
function readOptions(args: string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { mutants: flag, conforming: flag, sample: text, seed: text, jobs: text, verbose: flag },
    });
    const onlyKind = values.mutants ? (["mutant"] as const) : (["variant"] as const);
    return {
      globs: positionals,
      kinds: new Set(values.mutants === values.conforming ? ["mutant", "variant"] : onlyKind),
      sample: values.sample === undefined ? undefined : positiveInteger("--sample", values.sample),
      seed: positiveInteger("--seed", values.seed ?? "1"),
      jobs: positiveInteger("--jobs", values.jobs ?? "2"),
      isVerbose: values.verbose,
    };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

function positiveInteger(option: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`${option} must be a positive integer, got ${text}`);
}

/** Selects the entries to judge. The same seed always gives the same sample. */
function select(entries: readonly Entry[], { globs, kinds, sample, seed }: Options): readonly Entry[] {
  const isMatch = globs.length === 0 ? () => true : picomatch([...globs]);
  const selected = entries.filter(({ id, kind }) => kinds.has(kind) && isMatch(id));
  if (sample === undefined) return selected;
  const rank = ({ id }: Entry) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const sampled = new Set(
    [...kinds].flatMap((kind) => {
      const ofKind = selected
        .filter((entry) => entry.kind === kind)
        .map((entry) => ({ entry, rank: rank(entry) }));
      return ofKind.sort((one, other) => (one.rank < other.rank ? -1 : 1)).slice(0, sample);
    }),
  );
  const chosen = new Set([...sampled].map(({ entry }) => entry));
  return selected.filter((entry) => chosen.has(entry));
}

/** Judges the selected entries. Returns whether all mutants are caught and all variants accepted. */
async function main(options: Options): Promise<boolean> {
  const entries = select(readEntries(readContract(join(DATA_FOLDER, "contract"))), options);
  if (entries.length === 0) throw new UsageError(`no entry matches ${options.globs.join(" ")}`);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const byProperty = entries.filter((entry) => entry.kind === "mutant" && entry.property !== undefined);
  const judged = entries.filter((entry) => !byProperty.includes(entry));
  const byId = new Map(judged.map((entry) => [entry.id, entry]));
  const counts = { mutants: 0, byAll: 0, byAny: 0, variants: 0, accepted: 0 };
  await judgeInProcesses([...byId.keys()], options.jobs, (id, { problems, found }) => {
    const entry = byId.get(id);
    const isGood = problems.length === 0;
    if (entry?.kind === "mutant") {
      counts.mutants += 1;
      if (isGood) counts.byAll += 1;
      if (found > 0) counts.byAny += 1;
    } else {
      counts.variants += 1;
      if (isGood) counts.accepted += 1;
    }
    const verdict = entry?.kind === "mutant" ? "survives" : "is rejected";
    const [first = ""] = problems;
    const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    if (!isGood)
      print(`${id} ${verdict}: ${options.isVerbose ? `\n  ${problems.join("\n  ")}` : first + rest}`);
  });
  if (byProperty.length > 0)
    print(
      `not judged, need the random search (${byProperty.length}): ${byProperty.map(({ id }) => id).join(", ")}`,
    );
  print(
    `${counts.byAll} of ${counts.mutants} mutants caught by all rules that they name, ${counts.byAny} by one; ` +
      `${counts.accepted} of ${counts.variants} conforming variants accepted`,
  );
  return counts.byAll === counts.mutants && counts.accepted === counts.variants;
}

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof DataError || error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
  process.exitCode = 2;
}
