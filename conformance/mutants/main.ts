/** Judges mutants and conforming variants of the reference by the vectors. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { readClientContract, readContract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { CLIENT_ENTRIES_FOLDER, DATA_FOLDER, type Entry, readEntries } from "./entries.ts";
import { judgeInProcesses } from "./pool.ts";

const USAGE = `Usage: tsx main.ts [GLOB...] [options]

Judges mutants and conforming variants of the reference whose IDs match (default: all).

  --clients       judge mutants and conforming variants of the example client
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
  readonly isOfClients: boolean;
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
      options: {
        clients: flag,
        mutants: flag,
        conforming: flag,
        sample: text,
        seed: text,
        jobs: text,
        verbose: flag,
      },
    });
    const onlyKind = values.mutants ? (["mutant"] as const) : (["variant"] as const);
    return {
      globs: positionals,
      isOfClients: values.clients,
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
  const all = options.isOfClients
    ? readEntries(readClientContract(), CLIENT_ENTRIES_FOLDER)
    : readEntries(readContract(join(DATA_FOLDER, "contract")));
  const entries = select(all, options);
  if (entries.length === 0) throw new UsageError(`no entry matches ${options.globs.join(" ")}`);
  const needsSearch = (entry: Entry) => entry.kind === "mutant" && entry.property !== undefined;
  const searched = entries.filter(needsSearch).map(({ id }) => id);
  const judgments: {
    readonly kind: Entry["kind"];
    readonly isGood: boolean;
    readonly violatedRules: number;
  }[] = [];
  const judged = entries.filter((entry) => !needsSearch(entry));
  const args = options.isOfClients ? ["--clients"] : [];
  await judgeInProcesses(judged, options.jobs, args, ({ id, kind }, { problems, violatedRules }) => {
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

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof DataError || error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
  process.exitCode = 2;
}
