import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import type { Contract } from "../contract.ts";
import { parseYaml } from "../data/yaml-source.ts";
import { compileVector } from "../vectors/compile.ts";
import type { Vector } from "../vectors/vector.ts";

/** Keys of a step whose map or list holds further steps: all others go on one line. */
const LISTS: ReadonlySet<unknown> = new Set(["vectors", "steps", "repeat", "together"]);

/** Writes a suite file as people write them: a line for each step. */
export function writeSuite(suite: string, vectors: readonly object[]): string {
  const document = new Document({ suite, vectors }, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && !LISTS.has(key.value) && (isMap(value) || isSeq(value))) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** Reads back a suite of one vector. `file` stands in its places. */
export function vectorOf(text: string, file: string, contract: Contract): Vector {
  const source = parseYaml(text, file);
  const { suite } = source.value as { suite: string };
  const [vector] = compileVector(source, suite, 0, contract);
  if (vector === undefined) throw new Error(`${file} holds no vector`);
  return vector;
}
