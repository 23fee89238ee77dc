/** Compiled suites: the tests of all files in a folder as JSON values, with file paths relative to the kit. */
import { join, relative, resolve } from "node:path";
import { isObject } from "../data/json.ts";
import { ROOT, readCompiled } from "../data/kit-files.ts";
import type { SourcePlace } from "./vector.ts";

/** Start of the path of a file in the kit, relative to its root. */
const OF_KIT = "kit:";

/** Returns the tests of a folder, compiled by an earlier process if possible. @throws as `compile` does */
export function readSuites<Test>(folder: string, compile: () => readonly Test[]): readonly Test[] {
  return readCompiled(folder, () => withPortablePaths(compile()));
}

/** Returns the path of a file for messages: relative to the working directory, or absolute if that is shorter. */
export function fileOf({ file }: SourcePlace): string {
  if (!file.startsWith(OF_KIT)) return file;
  const path = join(ROOT, file.slice(OF_KIT.length));
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/** Returns a copy of tests with file paths that do not depend on the working directory. */
export function withPortablePaths<Test>(tests: readonly Test[]): readonly Test[] {
  const portable = (file: unknown) => OF_KIT + relative(ROOT, resolve(String(file)));
  const json = JSON.stringify(tests, (name, value: unknown) =>
    name === "place" && isObject(value) ? { ...value, file: portable(value["file"]) } : value,
  );
  return JSON.parse(json);
}
