import { createHash } from "node:crypto";
import { join } from "node:path";
import { DataError } from "../data/data-error.ts";
import { kitNames } from "../data/packed-files.ts";
import { checkSchema } from "../data/schema.ts";
import { readYaml, type YamlSource } from "../data/yaml-source.ts";

/** A vector as it stands in a suite, before it is compiled. */
export interface SuiteEntry {
  readonly source: YamlSource;
  readonly suite: string;
  /** Its place among the vectors of the suite. */
  readonly index: number;
  /** Of the whole set: `suite/vector`. */
  readonly id: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

interface SuiteFile {
  readonly suite: string;
  readonly vectors: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The paths of all suites (`*.yaml`) of a folder, in alphabetical order.
 * @throws {DataError} where the folder cannot be read
 */
export function suitePaths(folder: string): readonly string[] {
  try {
    return kitNames(folder)
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => join(folder, name));
  } catch (error) {
    throw new DataError(folder, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/**
 * Reads suites, and compiles each of their vectors.
 * @returns the vectors in the order of the files, and SHA-256 over the texts of the files, as lowercase hex
 * @throws {DataError} with file:line:column for any fault in any file, and for an id that two vectors have
 */
export function readSuites<V>(
  paths: readonly string[],
  schemaPath: string,
  compile: (entry: SuiteEntry) => readonly V[],
): { readonly vectors: readonly V[]; readonly digest: string } {
  const hash = createHash("sha256");
  const places = new Map<string, string>();
  const vectors: V[] = [];
  for (const path of paths) {
    const source = readYaml(path);
    checkSchema(source, schemaPath);
    hash.update(`${source.text.length}\n${source.text}`);
    const { suite, vectors: entries } = source.value as SuiteFile;
    for (const [index, entry] of entries.entries()) {
      const at = ["vectors", index, "id"];
      const id = `${suite}/${String(entry["id"])}`;
      const earlier = places.get(id);
      if (earlier !== undefined) throw source.error(at, `duplicate id "${id}", first at ${earlier}`);
      places.set(id, `${source.file}:${source.keyPosition(at).line}`);
      vectors.push(...compile({ source, suite, index, id, entry }));
    }
  }
  return { vectors, digest: hash.digest("hex") };
}
