import assert from "node:assert/strict";
import { test } from "node:test";
import { EditError, Program } from "./edits.ts";

const program = new Program(
  new Map([
    [
      "a.ts",
      'import { one } from "./b.ts";\n\n/** Adds. */\n' +
        "export function add(x: number): number {\n  return x + one;\n}\n",
    ],
    ["b.ts", "export const one = 1;\nexport const two = 2;\nconst list = [\n  one,\n  two,\n];\n"],
  ]),
);
const fault = (index: number, message: RegExp) => (error: unknown) =>
  error instanceof EditError && error.index === index && message.test(error.message);

test("replaces text of any layout, and adds the imports that the new text needs", () => {
  const sources = program.edit([
    {
      replace: "return x+one;",
      with: "return x + two;",
      imports: ["two", "one", "createHash from node:crypto"],
    },
    { replace: "[one, two]", with: "[two]" },
  ]);
  assert.equal(
    sources.get("a.ts"),
    'import { createHash } from "node:crypto";\nimport { two } from "./b.ts";\nimport { one } from "./b.ts";\n\n' +
      "/** Adds. */\nexport function add(x: number): number {\n  return x + two;\n}\n",
  );
  assert.equal(sources.get("b.ts"), "export const one = 1;\nexport const two = 2;\nconst list = [two];\n");
});

test("rejects an edit that does not apply", () => {
  const edit =
    (...edits: Parameters<Program["edit"]>[0]) =>
    () =>
      program.edit(edits);
  const good = { replace: "x + one", with: "x" };
  assert.throws(
    edit(good, { replace: "y + one", with: "" }),
    fault(1, /^the text does not occur in the source: y \+ one$/),
  );
  assert.throws(edit({ in: "b.ts", replace: "x + one", with: "" }), fault(0, /does not occur in b\.ts/));
  assert.throws(edit({ in: "b.ts", replace: "one", with: "" }), fault(0, /occurs 2 times in b\.ts/));
  assert.throws(edit(good, { replace: "+ one;", with: "" }), fault(1, /another edit changes the same text/));
  assert.throws(edit({ ...good, imports: ["three"] }), fault(0, /no file of the program exports three/));
});
