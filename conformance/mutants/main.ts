/** Judges mutants and conforming variants of the reference by vectors or properties. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { readClientContract, readContract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { EditError, Program } from "./edits.ts";
import {
  CLIENT_ENTRIES_FOLDER,
  combine,
  DATA_FOLDER,
  type Entry,
  PROGRAM_FOLDER,
  readEntries,
} from "./entries.ts";
import { readSources } from "./judge.ts";
import { judgeInProcesses } from "./pool.ts";

const USAGE = `Usage: tsx main.ts [GLOB...] [options]

Judges mutants and conforming variants of the reference whose IDs match (default: all).

  --clients       judge mutants and conforming variants of the example client
  --mutants       judge only mutants
  --conforming    judge only conforming variants
  --sample <n>    judge n entries of each kind
  --pairs <n>     judge n combinations of two conforming variants by all properties
  --seed <n>      seed of the sample or the pairs (default: 1)
  --properties    judge by all properties (default: by vectors, or by the property that a mutant names)
  --seeds <n>     number of seeds of the properties, from 1 (default: 1)
  --groups        count the groups of failures that each mutant shows
  --jobs <n>      number of processes (default: 2)
  --verbose       print each problem of an entry (default: the first)
`;

/** The options or arguments are invalid. */
class UsageError extends Error {}

interface Options {
  readonly globs: readonly string[];
  readonly isOfClients: boolean;
  readonly kinds: ReadonlySet<Entry["kind"]>;
  /** Number of entries of each kind, or undefined for all. */
  readonly sample: number | undefined;
  /** Number of combinations, or undefined to judge the entries themselves. */
  readonly pairs: number | undefined;
  /** Number of seeds of the properties, or undefined to judge by what each entry needs. */
  readonly seeds: number | undefined;
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
        ...{ clients: flag, mutants: flag, conforming: flag, properties: flag, groups: flag, verbose: flag },
        ...{ sample: text, pairs: text, seed: text, seeds: text, jobs: text },
      },
    });
    const number = (name: "sample" | "pairs" | "seed" | "seeds" | "jobs") => {
      const value = values[name];
      return value === undefined ? undefined : positiveInteger(`--${name}`, value);
    };
    if (values.groups && values.conforming)
      throw new UsageError("--groups is about mutants; remove --conforming");
    const bySearch = values.properties || values.pairs !== undefined || values.seeds !== undefined;
    const onlyKind = values.mutants || values.groups ? (["mutant"] as const) : (["variant"] as const);
    const isBoth = values.mutants === values.conforming && !values.groups;
    return {
      globs: positionals,
      isOfClients: values.clients,
      kinds: new Set(isBoth ? ["mutant", "variant"] : onlyKind),
      sample: number("sample"),
      pairs: number("pairs"),
      seeds: bySearch ? (number("seeds") ?? 1) : undefined,
      seed: number("seed") ?? 1,
      jobs: number("jobs") ?? 2,
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

/**
 * Selects the entries to judge. Those that need many random cases must be named. The same seed always gives
 * the same sample.
 */
function select(entries: readonly Entry[], options: Options): readonly Entry[] {
  const { globs, kinds, sample, pairs, seed } = options;
  const isNamed = picomatch([...globs]);
  const isChosen = (entry: Entry) =>
    globs.length === 0 ? !("property" in entry && entry.property !== undefined) : isNamed(entry.id);
  const selected = entries.filter((entry) => kinds.has(entry.kind) && isChosen(entry));
  if (pairs !== undefined) return drawPairs(selected, pairs, seed);
  const sampled = new Set(
    [...kinds].flatMap((kind) =>
      shuffle(
        selected.filter((entry) => entry.kind === kind),
        seed,
      ).slice(0, sample),
    ),
  );
  return selected.filter((entry) => sampled.has(entry));
}

/** Draws combinations of two variants that change different parts of the program. */
function drawPairs(entries: readonly Entry[], count: number, seed: number): readonly Entry[] {
  const program = new Program(readSources(PROGRAM_FOLDER));
  const variants = entries.filter((entry) => entry.kind === "variant");
  const pairs = variants.flatMap((one, index) =>
    variants.slice(index + 1).map((other) => combine(one, other)),
  );
  const drawn: Entry[] = [];
  for (const pair of shuffle(pairs, seed)) {
    if (drawn.length === count) break;
    try {
      pair.edit(program);
      drawn.push(pair);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
    }
  }
  return drawn;
}

function shuffle<One extends Entry>(entries: readonly One[], seed: number): readonly One[] {
  const rank = ({ id }: Entry) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry) }));
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ entry }) => entry);
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Judges the selected entries. Returns whether all mutants are caught and all variants accepted. */
async function main(options: Options): Promise<boolean> {
  const all = options.isOfClients
    ? readEntries(readClientContract(), CLIENT_ENTRIES_FOLDER)
    : readEntries(readContract(join(DATA_FOLDER, "contract")));
  const entries = select(all, options);
  if (entries.length === 0) throw new UsageError(`no entry matches ${options.globs.join(" ")}`);
  const judgments: {
    readonly kind: Entry["kind"];
    readonly isGood: boolean;
    readonly violatedRules: number;
  }[] = [];
  if (options.countsGroups) return countGroups(entries, options);
  await judgeInProcesses(entries, options, ({ id, kind }, { problems, violatedRules }) => {
    judgments.push({ kind, isGood: problems.length === 0, violatedRules });
    if (problems.length === 0) return;
    const shown = options.isVerbose ? problems : problems.slice(0, 1);
    const rest = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
    print([`${id} ${kind === "mutant" ? "survives" : "is rejected"}:`, ...shown, ...rest].join("\n  "));
  });
  const mutants = judgments.filter(({ kind }) => kind === "mutant");
  const variants = judgments.filter(({ kind }) => kind === "variant");
  const good = (some: typeof judgments) => some.filter(({ isGood }) => isGood).length;
  const byAny = mutants.filter(({ violatedRules }) => violatedRules > 0).length;
  print(
    `${good(mutants)} of ${mutants.length} mutants caught ` +
      `${options.seeds === undefined ? "by each rule that they name" : "with each seed"}, ${byAny} by one; ` +
      `${good(variants)} of ${variants.length} conforming variants accepted`,
  );
  return good(judgments) === judgments.length;
}

/** Limits of the groups of a mutant's failures, and the least share of those that first show a named rule. */
const MAX_MEDIAN_GROUPS = 1;
const MAX_P90_GROUPS = 2;
const MIN_RIGHT_SHARE = 0.9;

/** Prints how the failures of mutants are grouped. Returns whether that is good enough. */
async function countGroups(mutants: readonly Entry[], options: Options): Promise<boolean> {
  const counts: number[] = [];
  let right = 0;
  await judgeInProcesses(mutants, options, ({ id }, { problems, groups = 0 }) => {
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
