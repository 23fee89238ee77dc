import { Document, isMap, isScalar, isSeq, visit } from "yaml";

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
