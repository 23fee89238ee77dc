/** The kit's own files: its data, in the form of files and compiled, and its version. */
import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { CompiledCache } from "./compiled-cache.ts";

// The bundled code of a checkout has the same value of `import.meta.dirname` as this source.
/** The root of the checkout, or of the package. */
export const ROOT = join(import.meta.dirname, "..", "..");

/** The folder of all data files: `contract/` and `suites/`. */
export const DATA_FOLDER = join(ROOT, "vectors");

/** Whether this code is part of the bundled package, and not of a checkout. */
export const IS_PACKAGED = basename(import.meta.dirname) !== "data";

/** Returns the version of the kit. */
export function readVersion(): string {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
}

/** The data, the code that compiles it, and the versions of the packages that this code uses. */
const SOURCES = [
  ...["contract", "suites", "client-suites", "tables"].map((name) => join(DATA_FOLDER, name)),
  ...["data", "adapters", "contract", "suite", "clients"].map((name) => join(ROOT, "conformance", name)),
  join(ROOT, "package-lock.json"),
];

const cache = new CompiledCache(join(ROOT, "node_modules", ".cache", "launch-draft-conformance"), SOURCES);

/** Returns the name of compiled data. @param source a file or folder in {@link DATA_FOLDER} */
export function compiledName(source: string): string {
  return `${relative(DATA_FOLDER, source).replaceAll("/", "-")}.json`;
}

/**
 * Returns the compiled form of a data file, or of the files in a folder. The package contains that of the
 * kit's own data, and a checkout keeps it in a cache.
 * @param compile returns a JSON value
 * @throws as `compile` does
 */
export function readCompiled<Value>(source: string, compile: () => Value): Value {
  if (relative(DATA_FOLDER, source).startsWith("..")) return compile();
  const name = compiledName(source);
  if (!IS_PACKAGED) return cache.read(name, compile) as Value;
  return JSON.parse(readFileSync(join(DATA_FOLDER, "compiled", name), "utf8"));
}
