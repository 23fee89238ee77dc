/** The compiled suite: all vectors as one JSON file, so that the packaged kit starts without parsing YAML. */
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { allSteps, type Vector } from "./vector.ts";

/** Returns the text of the compiled suite. @param root package root; file paths become relative to it */
export function serializeSuite(vectors: readonly Vector[], root: string): string {
  return JSON.stringify(vectors, (name, value) =>
    name === "place" ? { ...value, file: relative(root, resolve(value.file)) } : value,
  );
}

/** Reads the compiled suite. @param root package root; the suite's file paths are relative to it */
export function readCompiledSuite(path: string, root: string): readonly Vector[] {
  const vectors: readonly Vector[] = JSON.parse(readFileSync(path, "utf8"));
  const shownRoot = relative(process.cwd(), root);
  for (const vector of vectors)
    for (const { place } of [vector, ...allSteps(vector.steps)])
      Object.assign(place, { file: join(shownRoot, place.file) });
  return vectors;
}
