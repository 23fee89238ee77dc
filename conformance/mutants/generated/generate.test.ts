import assert from "node:assert/strict";
import { test } from "node:test";
import { mutatedReference } from "./generate.ts";
import { keyOf, loadReasons } from "./reasons.ts";

const sources = new Map([
  ["server.ts", 'import { handle } from "./service.ts";\nhandle(1 + 1);\n'],
  [
    "service.ts",
    'import { limit } from "./limit.ts";\nexport const handle = (size: number) =>\n  size < limit;\n',
  ],
  ["limit.ts", "export const limit =\n  2 * 8;\n"],
]);

test("what the service imports is mutated, and nothing else", async () => {
  const { mutants } = await mutatedReference(sources);
  assert.deepEqual([...new Set(mutants.map(({ file }) => file))].sort(), ["limit.ts", "service.ts"]);
});

test("a mutant is known by its words and placed by its line", async () => {
  const { mutants } = await mutatedReference(sources);
  const [mutant = assert.fail("no mutant")] = mutants.filter(({ file }) => file === "limit.ts");
  const change = { file: "limit.ts", in: "2 * 8;", was: "2 * 8", now: "2 / 8" };
  assert.deepEqual([mutant.line, mutant.change], [2, change]);
});

test("a mutant is known by the same words where lines stand before it", async () => {
  const changes = async (files: ReadonlyMap<string, string>) =>
    (await mutatedReference(files)).mutants.map(({ change }) => change);
  const moved = [...sources].map(([name, text]): [string, string] => [name, `// moved\n\n${text}`]);
  assert.deepEqual(await changes(new Map(moved)), await changes(sources));
});

test("every reason stands for a mutant of the reference as it is", async () => {
  const { mutants } = await mutatedReference();
  const known = new Set(mutants.map(({ change }) => keyOf(change)));
  assert.deepEqual(
    [...loadReasons().keys()].filter((key) => !known.has(key)),
    [],
  );
});
