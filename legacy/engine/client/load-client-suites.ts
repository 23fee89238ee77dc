import { parseYaml } from "../data/yaml-source.ts";
import { checkRules } from "../vectors/compile-context.ts";
import { placeOf, type VectorOrder } from "../vectors/order.ts";
import { readSuites, type SuiteEntry, suitePaths } from "../vectors/read-suites.ts";
import type { ClientContract } from "./client-contract.ts";
import type { ClientSuites, ClientVector } from "./client-vector.ts";
import { fillCases } from "./fill-cases.ts";

interface SuiteFile {
  readonly suite: string;
  readonly vectors: readonly Readonly<Record<string, unknown>>[];
}

/** What loading takes of a contract. */
type Compiling = Pick<ClientContract, "rules" | "areas" | "points" | "compile" | "order">;

/**
 * Loads every suite (`*.yaml`) of a folder. The digest has them in alphabetical order, the vectors are in the contract's.
 * @throws {DataError} with file:line:column for any fault in any file
 */
export function loadClientSuites(folder: string, schemaPath: string, contract: Compiling): ClientSuites {
  return loadClientSuiteFiles(suitePaths(folder), schemaPath, contract);
}

/** Like {@link loadClientSuites}, for named files. */
export function loadClientSuiteFiles(
  paths: readonly string[],
  schemaPath: string,
  contract: Compiling,
): ClientSuites {
  const { vectors, digest } = readSuites(paths, schemaPath, (entry) => vectorsOf(entry, contract));
  return { vectors: inOrder(vectors, contract.order), digest };
}

function vectorsOf(
  { source, suite, index, id, entry }: SuiteEntry,
  contract: Compiling,
): readonly ClientVector[] {
  const path = ["vectors", index];
  checkRules(source, contract, entry["rules"] as readonly string[], [...path, "rules"]);
  return fillCases(source, path, entry).map(({ name, entry: filled, path: at }): ClientVector => {
    const { id: _, title, ...rest } = filled;
    const { rules } = rest;
    if (name !== undefined) checkRules(source, contract, rules as readonly string[], [...at, "rules"]);
    return {
      id: name === undefined ? id : `${id}/${name}`,
      suite,
      title: String(title),
      rules: rules as readonly string[],
      place: {
        file: source.file,
        line: source.keyPosition(name === undefined ? [...path, "id"] : at).line,
      },
      scenario: contract.compile(rest, source, path),
    };
  });
}

/** Compiles a suite of one vector without cases, that is no file. @param file stands in its places */
export function clientVectorOf(text: string, file: string, contract: Compiling): ClientVector {
  const source = parseYaml(text, file);
  const { suite, vectors } = source.value as SuiteFile;
  const [entry = {}] = vectors;
  const id = `${suite}/${String(entry["id"])}`;
  const [vector] = vectorsOf({ source, suite, index: 0, id, entry }, contract);
  if (vector === undefined) throw new Error(`${file} holds no vector`);
  return vector;
}

/** By the place of the case, the vector or the suite; what is alike stays in the order of the files. */
function inOrder(vectors: readonly ClientVector[], order: VectorOrder | undefined): readonly ClientVector[] {
  if (order === undefined) return vectors;
  return vectors
    .map((vector) => ({ vector, place: placeOf(vector, order) }))
    .sort((one, other) => one.place.index - other.place.index)
    .map(({ vector }) => vector);
}
