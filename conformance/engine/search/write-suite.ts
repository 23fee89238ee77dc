import { Document, isMap, isScalar, isSeq, visit } from "yaml";
import { parseYaml } from "../data/yaml-source.ts";
import type { Contract } from "../rule-book.ts";
import { compileVector } from "../vectors/compile.ts";
import type { Vector } from "../vectors/vector.ts";

const VERBS: ReadonlySet<unknown> = new Set([
  "platform",
  "challenge",
  "verify",
  "session",
  "build",
  "request",
  "advance",
  "expect",
  "compare",
  "tally",
  "rules",
]);

/** Writes a suite file as people write them: a line for each step. */
export function writeSuite(suite: string, vectors: readonly object[]): string {
  const document = new Document({ suite, vectors }, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && VERBS.has(key.value) && (isMap(value) || isSeq(value))) value.flow = true;
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
