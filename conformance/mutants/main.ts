/** Judges mutants and conforming variants of the reference by the vectors. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { readContract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { DATA_FOLDER, type Entry, readEntries } from "./entries.ts";
import { judgeInProcesses } from "./pool.ts";

const USAGE = `Usage: tsx main.ts [GLOB...] [options]

Judges mutants and conforming variants of the reference whose IDs match (default: all).

  --mutants       judge only mutants
  --conforming    judge only conforming variants
  --sample <n>    judge n entries of each kind
  --seed <n>      seed of the sample (default: 1)
  --groups        count the groups of failures that each mutant shows
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
  readonly countsGroups: boolean;
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
      options: {
        ...{ mutants: flag, conforming: flag, groups: flag, verbose: flag },
        ...{ sample: text, seed: text, jobs: text },
      },
    });
    if (values.groups && values.conforming)
      throw new UsageError("--groups is about mutants; remove --conforming");
    const onlyKind = values.mutants || values.groups ? (["mutant"] as const) : (["variant"] as const);
    return {
      globs: positionals,
      kinds: new Set(
        values.mutants === values.conforming && !values.groups ? ["mutant", "variant"] : onlyKind,
      ),
      sample: values.sample === undefined ? undefined : positiveInteger("--sample", values.sample),
      seed: positiveInteger("--seed", values.seed ?? "1"),
      jobs: positiveInteger("--jobs", values.jobs ?? "2"),
      countsGroups: values.groups,
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
  const rank = ({ id }: Entry) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const ranked = selected.map((entry) => ({ entry, rank: rank(entry) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const sampled = [...kinds].flatMap((kind) =>
    ranked.filter(({ entry }) => entry.kind === kind).slice(0, sample),
  );
  return selected.filter((entry) => sampled.some((one) => one.entry === entry));
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Judges the selected entries. Returns whether all mutants are caught and all variants accepted. */
async function main(options: Options): Promise<boolean> {
  const entries = select(readEntries(readContract(join(DATA_FOLDER, "contract"))), options);
  if (entries.length === 0) throw new UsageError(`no entry matches ${options.globs.join(" ")}`);
  const needsSearch = (entry: Entry) => entry.kind === "mutant" && entry.property !== undefined;
  const searched = entries.filter(needsSearch).map(({ id }) => id);
  const judgments: {
    readonly kind: Entry["kind"];
    readonly isGood: boolean;
    readonly violatedRules: number;
  }[] = [];
  const judged = entries.filter((entry) => !needsSearch(entry));
  if (options.countsGroups) return countGroups(judged, options);
  await judgeInProcesses(judged, options.jobs, "rules", ({ id, kind }, { problems, violatedRules }) => {
    judgments.push({ kind, isGood: problems.length === 0, violatedRules });
    if (problems.length === 0) return;
    const shown = options.isVerbose ? problems : problems.slice(0, 1);
    const rest = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
    print([`${id} ${kind === "mutant" ? "survives" : "is rejected"}:`, ...shown, ...rest].join("\n  "));
  });
  if (searched.length > 0)
    print(`not judged, need the random search (${searched.length}): ${searched.join(", ")}`);
  const mutants = judgments.filter(({ kind }) => kind === "mutant");
  const variants = judgments.filter(({ kind }) => kind === "variant");
  const good = (some: typeof judgments) => some.filter(({ isGood }) => isGood).length;
  const byAny = mutants.filter(({ violatedRules }) => violatedRules > 0).length;
  print(
    `${good(mutants)} of ${mutants.length} mutants caught by each rule that they name, ` +
      `${byAny} by one of them; ` +
      `${good(variants)} of ${variants.length} conforming variants accepted`,
  );
  return good(judgments) === judgments.length;
}

/** Groups of a mutant's failures: the median and the 90th percentile that are wanted, and the share of right ones. */
const MAX_MEDIAN_GROUPS = 1;
const MAX_P90_GROUPS = 2;
const MIN_RIGHT_SHARE = 0.9;

/** Prints how the failures of mutants are grouped. Returns whether that is good enough. */
async function countGroups(mutants: readonly Entry[], { jobs }: Options): Promise<boolean> {
  const counts: number[] = [];
  let right = 0;
  await judgeInProcesses(mutants, jobs, "groups", ({ id }, { problems, groups = 0 }) => {
    counts.push(groups);
    if (problems.length === 0) right += 1;
    print([`${id}: ${groups}`, ...problems].join("; "));
  });
  counts.sort((one, other) => one - other);
  const percentile = (share: number) => counts[Math.ceil(share * counts.length) - 1] ?? 0;
  const [median, p90] = [percentile(0.5), percentile(0.9)];
  print(
    `${counts.length} mutants: median ${median}, p90 ${p90}, max ${counts.at(-1) ?? 0} groups; ` +
      `the first group shows a rule that the mutant names in ${right}`,
  );
  return median <= MAX_MEDIAN_GROUPS && p90 <= MAX_P90_GROUPS && right >= MIN_RIGHT_SHARE * counts.length;
}

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof DataError || error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
  process.exitCode = 2;
}
