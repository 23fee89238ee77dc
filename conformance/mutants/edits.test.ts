import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edit, editSources } from "./edits.ts";

const program = new Map([
  [
    "a.ts",
    'import { one } from "./b.ts";\n\n/** Adds. */\n' +
      "export function add(x: number): number {\n  return x + one;\n}\n",
  ],
  ["b.ts", "export const one = 1;\nexport const two = 2;\nconst list = [\n  one,\n  two,\n];\n"],
]);

/** Makes edits. Returns the new sources, and for each edit that does not apply, its index and a message. */
function edit(...edits: readonly Edit[]) {
  const faults: string[] = [];
  const sources = editSources(program, edits, (at, message) =>
    faults.push(`${edits.indexOf(at)} ${message}`),
  );
  return { sources, faults };
}

test("replaces text of any layout, and adds the imports that the new text needs", () => {
  const { sources, faults } = edit(
    {
      replace: "return x+one;",
      with: "return x + two;",
      imports: ["two", "one", "createHash from node:crypto"],
    },
    { replace: "[one, two]", with: "[two]" },
  );
  assert.deepEqual(faults, []);
  assert.equal(
    sources.get("a.ts"),
    'import { createHash } from "node:crypto";\nimport { two } from "./b.ts";\nimport { one } from "./b.ts";\n\n' +
      "/** Adds. */\nexport function add(x: number): number {\n  return x + two;\n}\n",
  );
  assert.equal(sources.get("b.ts"), "export const one = 1;\nexport const two = 2;\nconst list = [two];\n");
});

test("rejects an edit that does not apply", () => {
  const good = { replace: "x + one", with: "x" };
  const wrong: readonly (readonly [readonly Edit[], RegExp])[] = [
    [[good, { replace: "y + one", with: "" }], /^1 the text does not occur in the source: y \+ one$/],
    [[{ in: "b.ts", replace: "x + one", with: "" }], /^0 the text does not occur in b\.ts/],
    [[{ in: "b.ts", replace: "one", with: "" }], /^0 the text occurs 2 times in b\.ts/],
    [[good, { replace: "+ one;", with: "" }], /^1 another edit changes the same text/],
    [[{ ...good, imports: ["three"] }], /^0 no file of the program exports three/],
  ];
  for (const [edits, message] of wrong) {
    const { faults } = edit(...edits);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", message);
  }
});
