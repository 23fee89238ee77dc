import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import type { Vector } from "../../legacy/engine/vectors/vector.ts";
import { spansOf } from "../../legacy/mutants/edits.ts";
import { EXAMPLE_FOLDER, type Program } from "../../legacy/mutants/program.ts";
import type { Mutant } from "../../legacy/mutants/suite.ts";
import { PATHS } from "../../legacy/paths.ts";

/** Mutant suite: the folder of the program that its entries edit, and folders on which its verdicts do not depend. */
interface Suite {
  readonly sources: string;
  readonly unrelated: readonly string[];
}

/** Folders on which no verdict of either mutant suite depends. */
const UNRELATED = [
  ...["docs", "scripts", "lint", ".ci", "golden", "golden-flows"],
  ...["cli", "api", "reports", "policies", "testing"],
];
export const SERVICES: Suite = {
  sources: PATHS.referenceSources,
  unrelated: [...UNRELATED, "client", "clients", "client-suites"],
};
export const CLIENTS: Suite = {
  sources: EXAMPLE_FOLDER,
  unrelated: [...UNRELATED, "suites", "search", "commands", "properties"],
};

type Edited = Pick<Mutant, "id" | "place" | "edits"> & { readonly breaks?: readonly string[] };

/** Options of the command line that choose entries. */
export interface Choice {
  /** Mutant suite to choose from. */
  readonly of: Suite;
  /** Globs over ids, used where no sample is asked for. */
  readonly only: readonly string[];
  /** Number of entries to draw. */
  readonly sample?: number;
  /** Commit with which the files are compared. */
  readonly since?: string;
  readonly seed: number;
}

/** Globs over the ids to judge: as given, or the ids of a sample and all combinations. Prints what decided the sample. */
export function chosenIds(
  entries: { readonly broken: readonly Edited[]; readonly legal: readonly Edited[] },
  program: Program,
  vectors: readonly Pick<Vector, "rules" | "place">[],
  { of: { sources, unrelated }, only, sample, since, seed }: Choice,
): readonly string[] {
  if (sample === undefined) return only;
  const candidates = [...entries.broken, ...entries.legal].map(({ place, edits, ...entry }) => ({
    ...entry,
    files: [
      fromRoot(place.file),
      ...spansOf(program, edits).map(({ file }) => fromRoot(join(sources, file.name))),
    ],
  }));
  const rulesOfFiles = new Map<string, Set<string>>();
  for (const { place, rules } of vectors) {
    const file = fromRoot(place.file);
    rulesOfFiles.set(file, new Set([...(rulesOfFiles.get(file) ?? []), ...rules]));
  }
  const changed = since === undefined ? undefined : changedSince(since);
  const drawn = drawSample(candidates, { size: sample, seed, changed, rulesOfFiles, unrelated });
  const base =
    changed === undefined ? "no commit to compare with" : `${changed.length} files changed since ${since}`;
  process.stdout.write(`sample of ${drawn.length} entries, seed ${seed}, ${base}\n`);
  return [...drawn, "combination/*"];
}

function fromRoot(path: string): string {
  return relative(PATHS.root, resolve(PATHS.root, path));
}

/** Paths that differ from a commit; undefined where git does not know it, as in a shallow clone. */
function changedSince(commit: string): readonly string[] | undefined {
  const words = ["diff", "--name-only", "--no-renames", commit, "--"];
  const { status, stdout } = spawnSync("git", words, { cwd: PATHS.root, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((path) => path !== "") : undefined;
}

/** Entry of a mutant suite, as far as the draw of a sample depends on it. */
export interface Candidate {
  readonly id: string;
  /** Rules that a mutant violates; absent for a conforming variant. */
  readonly breaks?: readonly string[];
  /** Paths of the file that lists the entry and of the files that it edits. */
  readonly files: readonly string[];
}

/** Number of entries to draw, and what decides which. */
export interface Draw {
  /** Number of entries, mutants and conforming variants together; a quarter of it where the change decides no verdict. */
  readonly size: number;
  /** Decides what the change does not. */
  readonly seed: number;
  /** Paths that changed, from the root of the repository; undefined if unknown, as for a first commit. */
  readonly changed: readonly string[] | undefined;
  /** Rules that the vectors of a suite name, by the path of the suite's file. */
  readonly rulesOfFiles: ReadonlyMap<string, ReadonlySet<string>>;
  /** Folders on which the verdicts of this mutant suite do not depend. */
  readonly unrelated: readonly string[];
}

/** Largest share of a sample that the change decides; the seed decides the rest. */
const SHARE_OF_CHANGE = 0.75;
/** Share of the size that remains where no verdict depends on the change. */
const SHARE_IF_UNRELATED = 0.25;
/** One entry in this many is a conforming variant: each takes several times as long as a mutant. */
const ENTRIES_PER_VARIANT = 10;

/**
 * Draws a sample of a mutant suite. Entries that the change is about come first: their file, a file that they edit, or
 * a suite that names their rules has changed. The same arguments give the same sample.
 * @returns ids, in the order of the candidates
 */
export function drawSample(candidates: readonly Candidate[], draw: Draw): readonly string[] {
  const { size, changed, unrelated } = draw;
  const isUnrelated = changed?.every((path) => unrelated.some((folder) => isIn(path, folder))) ?? false;
  const count = Math.ceil(size * (isUnrelated ? SHARE_IF_UNRELATED : 1));
  const variantCount = Math.ceil(count / ENTRIES_PER_VARIANT);
  const mutants = candidates.filter(({ breaks }) => breaks !== undefined);
  const variants = candidates.filter(({ breaks }) => breaks === undefined);
  const drawn = new Set([
    ...drawFrom(mutants, count - variantCount, draw),
    ...drawFrom(variants, variantCount, draw),
  ]);
  return candidates.map(({ id }) => id).filter((id) => drawn.has(id));
}

function drawFrom(
  candidates: readonly Candidate[],
  count: number,
  { seed, changed = [], rulesOfFiles }: Draw,
): readonly string[] {
  const rules = new Set(changed.flatMap((path) => [...(rulesOfFiles.get(path) ?? [])]));
  const isAbout = ({ files, breaks = [] }: Candidate) =>
    files.some((file) => changed.includes(file)) || breaks.some((rule) => rules.has(rule));
  const shuffled = candidates
    .map((candidate) => ({
      candidate,
      key: createHash("sha256").update(`${seed} ${candidate.id}`).digest("hex"),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ candidate }) => candidate);
  const about = shuffled.filter(isAbout).slice(0, Math.ceil(count * SHARE_OF_CHANGE));
  const others = shuffled.filter((candidate) => !about.includes(candidate));
  return [...about, ...others].slice(0, count).map(({ id }) => id);
}

/** Whether a path has the folder in it, at its start or below another. */
function isIn(path: string, folder: string): boolean {
  return `/${path}`.includes(`/${folder}/`);
}
