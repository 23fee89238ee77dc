import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Contract } from "../contract.ts";
import { DataError } from "../data/data-error.ts";
import { kitNames } from "../data/packed-files.ts";
import { checkSchema } from "../data/schema.ts";
import { readYaml } from "../data/yaml-source.ts";
import { compileVector } from "./compile.ts";
import { inOrder } from "./in-order.ts";
import type { Vector } from "./vector.ts";

/** The vectors of one or more files and what identifies the set. */
export interface Suites {
  /** In the contract's order. */
  readonly vectors: readonly Vector[];
  /** SHA-256 over the texts of the files, as lowercase hex. */
  readonly digest: string;
}

/**
 * Loads every suite (`*.yaml`) of a folder. The digest has them in alphabetical order, the vectors are in the contract's.
 * @throws {DataError} with file:line:column for any fault in any file
 */
export function loadSuites(folder: string, schemaPath: string, contract: Contract): Suites {
  let names: readonly string[];
  try {
    names = kitNames(folder).filter((name) => name.endsWith(".yaml"));
  } catch (error) {
    throw new DataError(folder, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  return loadSuiteFiles(
    names.map((name) => join(folder, name)),
    schemaPath,
    contract,
  );
}

/** Like {@link loadSuites}, for named files. */
export function loadSuiteFiles(paths: readonly string[], schemaPath: string, contract: Contract): Suites {
  const hash = createHash("sha256");
  const places = new Map<string, string>();
  const vectors: Vector[] = [];
  for (const path of paths) {
    const source = readYaml(path);
    checkSchema(source, schemaPath);
    hash.update(`${source.text.length}\n${source.text}`);
    const { suite, vectors: entries } = source.value as SuiteFile;
    for (const [index, entry] of entries.entries()) {
      const path = ["vectors", index, "id"];
      const id = `${suite}/${entry.id}`;
      const earlier = places.get(id);
      if (earlier !== undefined) throw source.error(path, `duplicate id "${id}", first at ${earlier}`);
      places.set(id, `${source.file}:${source.keyPosition(path).line}`);
      vectors.push(...compileVector(source, suite, index, contract));
    }
  }
  return { vectors: inOrder(vectors, contract.order), digest: hash.digest("hex") };
}

interface SuiteFile {
  readonly suite: string;
  readonly vectors: readonly { readonly id: string }[];
}
