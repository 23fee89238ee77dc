/** Judges mutants and conforming variants of the reference by vectors or properties. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import picomatch from "picomatch";
import { readClientContract, readContract } from "../contract/contract.ts";
import { DataError } from "../contract/data-file.ts";
import { DATA_FOLDER, type Entry, readEntries } from "./entries.ts";
import { judgeInProcesses, type PoolOptions } from "./pool.ts";

const USAGE = `Usage: tsx main.ts [GLOB...] [options]

Judges mutants and conforming variants of the reference whose IDs match (default: all).

  --clients         judge mutants and conforming variants of the example client
  --mutants         judge only mutants
  --conforming      judge only conforming variants
  --sample <n>      judge n entries of each kind
  --seed <n>        seed of the sample (default: 1)
  --properties <n>  judge only conforming variants, by all properties with n seeds (default: by vectors)
  --jobs <n>        number of processes (default: 2)
  --verbose         print each problem of an entry (default: the first)
`;

/** The options or arguments are invalid. */
class UsageError extends Error {}

interface Options extends PoolOptions {
  readonly globs: readonly string[];
  readonly kinds: readonly Entry["kind"][];
  /** Number of entries of each kind, or undefined for all. */
  readonly sample: number | undefined;
  readonly seed: number;
  readonly isVerbose: boolean;
}

/** @throws {UsageError} */
function readOptions(args: string[]): Options {
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
    return {
      globs: positionals,
      isOfClients: values.clients,
      kinds: isBoth ? ["mutant", "variant"] : [isConforming ? "variant" : "mutant"],
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

/**
 * Selects the entries to judge. Mutants that only a property finds are selected only by name. The same seed
 * always gives the same sample.
 */
function select(entries: readonly Entry[], { globs, kinds, sample, seed }: Options): readonly Entry[] {
  const isNamed = picomatch([...globs]);
  const isChosen = (entry: Entry) => (globs.length === 0 ? !("property" in entry) : isNamed(entry.id));
  const selected = entries.filter((entry) => kinds.includes(entry.kind) && isChosen(entry));
  if (sample === undefined) return selected;
  const rank = ({ id }: Entry) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const shuffled = selected.map((entry) => ({ entry, rank: rank(entry) }));
  shuffled.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const ofKind = (kind: Entry["kind"]) => shuffled.filter(({ entry }) => entry.kind === kind);
  const sampled = new Set(kinds.flatMap((kind) => ofKind(kind).slice(0, sample)).map(({ entry }) => entry));
  return selected.filter((entry) => sampled.has(entry));
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Judges the selected entries. Returns whether all mutants are caught and all variants accepted. */
async function main(options: Options): Promise<boolean> {
  const { isOfClients, globs, isVerbose } = options;
  const contract = isOfClients ? readClientContract() : readContract(join(DATA_FOLDER, "contract"));
  const entries = select(readEntries(contract, isOfClients), options);
  if (entries.length === 0) throw new UsageError(`no entry matches ${globs.join(" ")}`);
  const [judged, good] = [
    { mutant: 0, variant: 0 },
    { mutant: 0, variant: 0 },
  ];
  await judgeInProcesses(entries, options, ({ id, kind }, problems) => {
    judged[kind] += 1;
    if (problems.length === 0) {
      good[kind] += 1;
      return;
    }
    const shown = isVerbose ? problems : problems.slice(0, 1);
    const rest = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
    print([`${id} ${kind === "mutant" ? "survives" : "is rejected"}:`, ...shown, ...rest].join("\n  "));
  });
  print(
    `${good.mutant} of ${judged.mutant} mutants caught by each rule that they name; ` +
      `${good.variant} of ${judged.variant} conforming variants accepted`,
  );
  return good.mutant + good.variant === entries.length;
}

try {
  process.exitCode = (await main(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof DataError || error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
  process.exitCode = 2;
}
