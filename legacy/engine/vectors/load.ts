import type { Contract } from "../contract.ts";
import { compileVector } from "./compile.ts";
import { inOrder } from "./in-order.ts";
import { readSuites, suitePaths } from "./read-suites.ts";
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
  return loadSuiteFiles(suitePaths(folder), schemaPath, contract);
}

/** Like {@link loadSuites}, for named files. */
export function loadSuiteFiles(paths: readonly string[], schemaPath: string, contract: Contract): Suites {
  const { vectors, digest } = readSuites(paths, schemaPath, ({ source, suite, index }) =>
    compileVector(source, suite, index, contract),
  );
  return { vectors: inOrder(vectors, contract.order), digest };
}
