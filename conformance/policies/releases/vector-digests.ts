import { createHash } from "node:crypto";
import { join } from "node:path";
import { kitNames } from "../../engine/data/packed-files.ts";
import { readYaml } from "../../engine/data/yaml-source.ts";

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly cases?: Readonly<Record<string, unknown>>;
}

/**
 * A digest of what each vector does, by its id: of its entry as it is written, with its own row of `cases` and without
 * the others. Its title, its place in the file and the order of keys do not matter.
 * @param folder of suites, which `loadSuites` accepts
 * @returns 16 hex digits each
 */
export function vectorDigests(folder: string): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const name of kitNames(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const { suite, vectors } = readYaml(join(folder, name)).value as {
      readonly suite: string;
      readonly vectors: readonly Entry[];
    };
    for (const { id, title: _, cases, ...entry } of vectors) {
      const rows = cases === undefined ? [[undefined, {}] as const] : Object.entries(cases);
      for (const [row, columns] of rows) {
        const path = [suite, id, ...(row === undefined ? [] : [row])].join("/");
        digests.set(path, digestOf({ entry, columns }));
      }
    }
  }
  return digests;
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, inOrder)).digest("hex").slice(0, 16);
}

/** Members of a map by name, as their order means nothing. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
