import assert from "node:assert/strict";
import { test } from "node:test";
import { unknownNames, withImports } from "./imports.ts";

const TEXT = 'import { b } from "./b.ts";\nimport c from "c";\nexport const a = b + c;\n';
const sources = new Map([
  ["a.ts", TEXT],
  ["b.ts", "export const b = 1;\nexport function more() {}\nconst own = 2;\n"],
]);

const cases: readonly (readonly [what: string, wanted: readonly string[], added: string])[] = [
  ["comes from the file that exports it", ["more"], 'import { more } from "./b.ts";\n'],
  ["comes from a package", ["hash from node:crypto"], 'import { hash } from "node:crypto";\n'],
  ["is a package's default", ["default as d from d"], 'import { default as d } from "d";\n'],
  ["is imported already", ["b", "default as c from c"], ""],
  ["is declared in the file itself", ["a"], ""],
];
for (const [what, wanted, added] of cases) {
  test(`a name that ${what} is imported once`, () => {
    assert.equal(withImports(sources, "a.ts", wanted), added + TEXT);
  });
}

test("a name that no file exports is unknown, and one from a package is not", () => {
  assert.deepEqual(unknownNames(sources, ["more", "own", "none", "hash from node:crypto"]), ["own", "none"]);
});
