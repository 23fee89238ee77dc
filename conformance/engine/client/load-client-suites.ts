import { createHash } from "node:crypto";
import { join } from "node:path";
import { DataError } from "../data/data-error.ts";
import { kitNames } from "../data/packed-files.ts";
import { checkSchema } from "../data/schema.ts";
import type { YamlPath } from "../data/yaml-places.ts";
import { parseYaml, readYaml, type YamlSource } from "../data/yaml-source.ts";
import { checkRules } from "../vectors/compile-context.ts";
import type { VectorOrder } from "../vectors/order.ts";
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
  let names: readonly string[];
  try {
    names = kitNames(folder).filter((name) => name.endsWith(".yaml"));
  } catch (error) {
    throw new DataError(folder, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  const paths = names.map((name) => join(folder, name));
  return loadClientSuiteFiles(paths, schemaPath, contract);
}

/** Like {@link loadClientSuites}, for named files. */
export function loadClientSuiteFiles(
  paths: readonly string[],
  schemaPath: string,
  contract: Compiling,
): ClientSuites {
  const hash = createHash("sha256");
  const places = new Map<string, string>();
  const vectors: ClientVector[] = [];
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
      vectors.push(...vectorsOf(source, ["vectors", index], { suite, id, entry }, contract));
    }
  }
  return { vectors: inOrder(vectors, contract.order), digest: hash.digest("hex") };
}

function vectorsOf(
  source: YamlSource,
  path: YamlPath,
  {
    suite,
    id,
    entry,
  }: { readonly suite: string; readonly id: string; readonly entry: SuiteFile["vectors"][0] },
  contract: Compiling,
): readonly ClientVector[] {
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
  const [vector] = vectorsOf(source, ["vectors", 0], { suite, id, entry }, contract);
  if (vector === undefined) throw new Error(`${file} holds no vector`);
  return vector;
}

/** By the place of the case, the vector or the suite; what is alike stays in the order of the files. */
function inOrder(vectors: readonly ClientVector[], order: VectorOrder | undefined): readonly ClientVector[] {
  if (order === undefined) return vectors;
  const placeOf = ({ id, suite }: ClientVector) => {
    const entry = id.split("/").slice(0, 2).join("/");
    const place = [id, entry, suite].map((name) => order.places.get(name)).find((one) => one !== undefined);
    return place?.index ?? Number.MAX_SAFE_INTEGER;
  };
  return vectors
    .map((vector) => ({ vector, place: placeOf(vector) }))
    .sort((one, other) => one.place - other.place)
    .map(({ vector }) => vector);
}
