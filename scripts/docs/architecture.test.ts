import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../legacy/paths.ts";
import { readPage } from "./pages.ts";

interface Arrows {
  readonly overrides: readonly {
    readonly includes: readonly string[];
    readonly linter: {
      readonly rules: {
        readonly style: {
          readonly noRestrictedImports: {
            readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] };
          };
        };
      };
    };
  }[];
}

/** What each folder of the kit may import of the others, as the linter has it. */
function allowed(): ReadonlyMap<string, readonly string[]> {
  const { overrides }: Arrows = JSON.parse(readFileSync(join(PATHS.root, "lint/arrows.json"), "utf8"));
  const folders = new Map<string, readonly string[]>();
  for (const { includes, linter } of overrides) {
    const [, folder] = /^legacy\/([a-z-]+)\/\*$/.exec(includes[0] ?? "") ?? [];
    if (folder === undefined) continue;
    const { patterns } = linter.rules.style.noRestrictedImports.options;
    const others = patterns.flatMap(({ group }) =>
      group.flatMap((pattern) => /^!\.\.\/([a-z-]+)\//.exec(pattern)?.[1] ?? []),
    );
    folders.set(folder, [...new Set(others)].sort());
  }
  return folders;
}

/** What the drawing says of the same. */
function drawn(): ReadonlyMap<string, readonly string[]> {
  const drawing = readPage("docs/architecture.md").blocks.find(({ text }) => text.startsWith("flowchart TD"));
  const edges = [...(drawing?.text ?? "").matchAll(/^ *([a-z-]+) --> (.*)$/gm)];
  return new Map(edges.map(([, from = "", to = ""]) => [from, to.split(" & ").sort()]));
}

test("the drawing has the arrows that the linter allows, and no other", () => {
  const [rules, drawing] = [allowed(), drawn()];
  assert.ok(rules.size >= 6);
  assert.deepEqual(drawing, rules);
});
