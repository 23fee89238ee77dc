/** Compiled suites: the tests of all files in a folder as JSON values, with file paths relative to the kit. */
import { join, relative, resolve } from "node:path";
import { isObject, type JsonObject } from "../data/json.ts";
import { ROOT, readCompiled } from "../data/kit-files.ts";

/** Returns the tests of a folder, compiled by an earlier process if possible. @throws as `compile` does */
export function readSuites<Test>(folder: string, compile: () => readonly Test[]): readonly Test[] {
  const tests = readCompiled(folder, () => withPortablePaths(compile()));
  return process.cwd() === ROOT ? tests : mapFiles(tests, (file) => shownPlace(join(ROOT, file)));
}

/** Returns the path of a file of the kit for messages: relative to the working directory, or absolute if that is shorter. */
function shownPlace(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/** Returns tests with file paths that do not depend on the working directory. */
export function withPortablePaths<Test>(tests: readonly Test[]): readonly Test[] {
  return mapFiles(tests, (file) => relative(ROOT, resolve(file)));
}

/** Returns a copy of a value. @param map changes the file of each place in the value */
function mapFiles<Value>(value: Value, map: (file: string) => string): Value {
  const copy = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(copy);
    if (!isObject(one)) return one;
    const members = Object.entries(one).map(([name, member]) => [
      name,
      name === "place" && isObject(member) ? placed(member) : copy(member),
    ]);
    return Object.fromEntries(members);
  };
  const placed = (place: JsonObject) => ({ ...place, file: map(String(place["file"])) });
  return copy(value) as Value;
}
