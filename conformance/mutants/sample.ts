import { createHash } from "node:crypto";

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
