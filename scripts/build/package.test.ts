/** What the package ships: see `package.mjs`. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../legacy/paths.ts";

interface Package {
  exportedSources(exported: object): {
    readonly programs: Readonly<Record<string, string>>;
    readonly declared: readonly string[];
  };
}
const { exportedSources }: Package = await import(new URL("package.mjs", import.meta.url).href);
interface Thin {
  readonly mappings: string;
  readonly names: readonly string[];
  readonly sources: readonly string[];
}

const { thinMap }: { thinMap(map: object): Thin } = await import(
  new URL("thin-map.mjs", import.meta.url).href
);
const manifest = JSON.parse(readFileSync(join(PATHS.root, "package.json"), "utf8"));

test("every export of a program names its source by the place of its declarations", () => {
  const types = (name: string) => `./dist/lib/types/${name}.d.ts`;
  assert.deepEqual(
    exportedSources({
      ".": { types: types("legacy/index"), default: "./dist/lib/index.js" },
      "./door": {
        require: { types: "./dist/lib/types/legacy/door.d.cts", default: "./legacy/door.cjs" },
        default: { types: types("legacy/door"), default: "./legacy/door.mjs" },
      },
      "./data/*": "./data/*",
    }),
    {
      programs: { index: "legacy/index.ts" },
      declared: ["legacy/index.ts", "legacy/door.d.cts", "legacy/door.ts"],
    },
  );
  assert.throws(() => exportedSources({ ".": { types: "./legacy/index.ts", default: "./x.js" } }), {
    message: "./legacy/index.ts is no place of declarations",
  });
  for (const source of exportedSources(manifest.exports).declared)
    assert.ok(existsSync(join(PATHS.root, source)), source);
});

test("a thin map has the beginning of each line of a source, once", () => {
  // Two words of line 1, one of line 2, and a piece that is of no source.
  const { mappings, names } = thinMap({
    version: 3,
    sources: ["a.ts"],
    names: ["x"],
    mappings: "AAAA,IAAIA,IACJ,C;AAAA",
  });
  assert.equal(mappings, "AAAA,QACA,C;AAAA");
  assert.deepEqual(names, []);
});

test("a thin map leaves out what belongs to other packages", () => {
  // A word of the first source, two of a package's, and one of the second source.
  const { mappings, sources } = thinMap({
    version: 3,
    sources: ["a.ts", "../node_modules/b/index.js", "c.ts"],
    names: [],
    mappings: "AAAA,CCAA,CACA,CCDA",
  });
  assert.equal(mappings, "AAAA,C,ECAA");
  assert.deepEqual(sources, ["a.ts", "c.ts"]);
});
