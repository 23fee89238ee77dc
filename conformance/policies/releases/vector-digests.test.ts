import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryDirectory } from "../../testing/temporary-file.ts";
import { vectorDigests } from "./vector-digests.ts";

const ENTRY = `  - id: one
    title: gives a profile
    rules: [PLATFORM-1]
    cases:
      a: { want: 200, rules: [PLATFORM-1] }
      b: { want: 404 }
    steps:
      - platform: {}
        expect: $case.want
`;

function digestsOf(context: TestContext, vectors: string): ReadonlyMap<string, string> {
  const folder = temporaryDirectory(context);
  writeFileSync(join(folder, "sample.yaml"), `suite: sample\nvectors:\n${vectors}`);
  return vectorDigests(folder);
}

test("each row of cases has a digest of its own", (context) => {
  const digests = digestsOf(context, ENTRY);
  assert.deepEqual([...digests.keys()], ["sample/one/a", "sample/one/b"]);
  assert.notEqual(digests.get("sample/one/a"), digests.get("sample/one/b"));
  for (const digest of digests.values()) assert.match(digest, /^[a-f0-9]{16}$/);
});

for (const [what, change] of [
  ["its title", (text: string) => text.replace("gives a profile", "answers")],
  ["its place", (text: string) => `  - { id: nought, title: x, rules: [], steps: [] }\n# more\n${text}`],
  ["another row", (text: string) => text.replace("b: { want: 404 }", "b: { want: 405 }")],
  [
    "the order of keys",
    (text: string) => text.replace("want: 200, rules: [PLATFORM-1]", "rules: [PLATFORM-1], want: 200"),
  ],
] as const) {
  test(`${what} is no part of what a vector does`, (context) => {
    assert.notEqual(change(ENTRY), ENTRY);
    const changed = digestsOf(context, change(ENTRY));
    assert.match(changed.get("sample/one/a") ?? "", /^[a-f0-9]{16}$/);
    assert.equal(changed.get("sample/one/a"), digestsOf(context, ENTRY).get("sample/one/a"));
  });
}

for (const [what, change] of [
  ["its row", (text: string) => text.replace("want: 200", "want: 201")],
  ["its steps", (text: string) => text.replace("platform: {}", "platform: { path: /v2 }")],
  ["the order of its steps", (text: string) => text.replace("steps:\n", "steps:\n      - restart: true\n")],
  ["its rules", (text: string) => text.replace("rules: [PLATFORM-1]\n", "rules: [PLATFORM-2]\n")],
] as const) {
  test(`${what} is part of what a vector does`, (context) => {
    assert.notEqual(change(ENTRY), ENTRY);
    const changed = digestsOf(context, change(ENTRY));
    assert.match(changed.get("sample/one/a") ?? "", /^[a-f0-9]{16}$/);
    assert.notEqual(changed.get("sample/one/a"), digestsOf(context, ENTRY).get("sample/one/a"));
  });
}
