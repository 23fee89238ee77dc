/**
 * Suites as they are prepared beforehand: what a run looks at of every vector in one place, and apart from it, by file, what
 * only playing a vector needs, which is most.
 */
import { DataError } from "../data/data-error.ts";
import type { Suites } from "./load.ts";
import type { Need } from "./need.ts";
import type { Fields, SourcePlace, Step, Vector } from "./vector.ts";

/** A vector without what playing it needs. */
interface PackedVector extends Omit<Vector, "place" | "needs" | "row" | "steps"> {
  /** Place of its file among the files, its line in it, and its place among the vectors of that file. */
  readonly at: readonly [file: number, line: number, index: number];
  readonly needs: readonly Need[];
}

/** The vectors in their order. */
export interface PackedSuites {
  readonly digest: string;
  readonly vectors: readonly PackedVector[];
}

/** What playing the vectors of one file needs, in the order of the file. */
export type PackedSteps = readonly { readonly row: Fields; readonly steps: readonly Step[] }[];

/**
 * Packs suites for {@link unpackSuites}.
 * @param files the files that the vectors come from, as their places say it
 */
export function packSuites(
  { digest, vectors }: Suites,
  files: readonly string[],
): { readonly suites: PackedSuites; readonly steps: readonly PackedSteps[] } {
  const steps = files.map((): PackedSteps[number][] => []);
  const packed = vectors.map(({ place, needs, row, steps: own, ...vector }): PackedVector => {
    const file = files.indexOf(place.file);
    const index = (steps[file]?.push({ row, steps: own }) ?? 0) - 1;
    return { ...vector, at: [file, place.line, index], needs: [...needs] };
  });
  return { suites: { digest, vectors: packed }, steps };
}

/** How the steps of vectors are fetched. */
export interface StepSource {
  /** Those of a file, by its place among the files; undefined where they are no longer to be had. */
  stepsOf(file: number): PackedSteps | undefined;
  /** A vector by its id, read in another way. */
  otherwise(id: string): Pick<Vector, "row" | "steps"> | undefined;
}

/**
 * The vectors, each of which fetches its steps when it is looked at.
 * @param files the same files, as people should see them now
 */
export function unpackSuites(
  { digest, vectors }: PackedSuites,
  files: readonly string[],
  source: StepSource,
): Suites {
  const fetched = new Map<number, PackedSteps | undefined>();
  const fetch = (file: number) => {
    if (!fetched.has(file)) fetched.set(file, source.stepsOf(file));
    return fetched.get(file);
  };
  const bodyOf = (id: string, [place, line, index]: PackedVector["at"]): PackedSteps[number] => {
    const file = files[place] ?? "";
    const body = fetch(place)?.[index];
    if (body !== undefined) return { row: body.row, steps: placed(body.steps, file) };
    const found = source.otherwise(id);
    if (found === undefined) throw new DataError(`${file}:${line}`, `${id} is no longer there`);
    return found;
  };
  const unpacked = vectors.map(({ at, needs, ...vector }): Vector => {
    let known: PackedSteps[number] | undefined;
    const body = () => {
      known ??= bodyOf(vector.id, at);
      return known;
    };
    return {
      ...vector,
      place: { file: files[at[0]] ?? "", line: at[1] },
      needs: new Set(needs),
      get row() {
        return body().row;
      },
      get steps() {
        return body().steps;
      },
    };
  });
  return { digest, vectors: unpacked };
}

/** Steps name their file as it is seen from the working directory. */
function placed(steps: readonly Step[], file: string): readonly Step[] {
  return steps.map((step) => {
    const place: SourcePlace = { file, line: step.place.line };
    return "steps" in step ? { ...step, place, steps: placed(step.steps, file) } : { ...step, place };
  });
}
