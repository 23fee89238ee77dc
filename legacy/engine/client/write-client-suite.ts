import { Document, isMap, isScalar, isSeq, visit } from "yaml";

/** Lists of which each item is a line of its own; everything else that a vector holds goes on one line. */
const LISTS: ReadonlySet<unknown> = new Set(["vectors", "service", "steps", "together"]);

/** Writes a suite of clients' vectors as people write them: a line for each thing that the service does, and each step. */
export function writeClientSuite(suite: string, vectors: readonly object[]): string {
  const document = new Document({ suite, vectors }, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !(isMap(value) || isSeq(value))) return;
      if (!LISTS.has(key.value)) value.flow = true;
      else if (key.value === "service" && isSeq(value)) {
        for (const item of value.items) if (isMap(item)) item.flow = true;
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}
