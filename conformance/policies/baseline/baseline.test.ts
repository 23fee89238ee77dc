import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { temporaryFile } from "../../testing/temporary-file.ts";
import { readBaseline } from "./baseline.ts";

const read = (context: TestContext, text: string) => readBaseline(temporaryFile(context, "known.yaml", text));

test("a baseline is a list of known failures, each with a reason", (context) => {
  const { known } = read(
    context,
    `known:
  - id: challenge/lifetime/just-past
    rules: [CHALLENGE-21]
    reason: clocks differ between machines
    link: https://tracker.example/7
    expires: 2027-01-31
  - { id: property/stateful, reason: as above }
`,
  );
  assert.deepEqual(known, [
    {
      id: "challenge/lifetime/just-past",
      rules: ["CHALLENGE-21"],
      reason: "clocks differ between machines",
      link: "https://tracker.example/7",
      expires: "2027-01-31",
    },
    { id: "property/stateful", reason: "as above" },
  ]);
  assert.deepEqual(read(context, "known: []\n").known, []);
  assert.deepEqual(read(context, "known:\n").known, []);
});

for (const [what, text, line] of [
  ["an entry without a reason", "known:\n  - id: a/b\n", /:2:5: .*lacks "reason"$/],
  ["an empty reason", 'known:\n  - { id: a/b, reason: " " }\n', /:2:16: /],
  [
    "an unknown key",
    "known:\n  - id: a/b\n    reasn: x\n",
    /:3:5: unknown key "reasn" \(did you mean "reason"\?\)$/,
  ],
  [
    "an id that stands twice",
    "known:\n  - { id: a/b, reason: x }\n  - { id: a/b, reason: y }\n",
    /:3:7: a\/b is known already, from line 2$/,
  ],
  [
    "a day that is none",
    "known:\n  - id: a/b\n    reason: x\n    expires: 2027-02-29\n",
    /:4:5: there is no day 2027-02-29$/,
  ],
  ["an expiry that is no day", "known:\n  - { id: a/b, reason: x, expires: soon }\n", /:2:27: /],
  ["a list in place of the map", "- id: a/b\n", /must be an object, not/],
  ["an empty file", "", /must be an object, not/],
] as const) {
  test(`${what} is refused with its place`, (context) => {
    assert.throws(() => read(context, text), { name: "DataError", message: line });
  });
}
