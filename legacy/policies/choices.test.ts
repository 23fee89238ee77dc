import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "../engine/data/yaml-source.ts";
import type { Choice } from "../engine/run/choices.ts";
import { SMALL_CONTRACT } from "../testing/small-report.ts";
import { choicesIn, holdChoices, updatedChoices } from "./choices.ts";

const RUN = { suite: "ab".repeat(32), seed: 1, runs: 100, executed: 20 };
const read = (text: string) => choicesIn(parseYaml(text, "choices.yaml"), SMALL_CONTRACT.points);
const choice = (point: string, observed: string): Choice => ({ point, observed, reference: "so" });
const update = (text: string | undefined, ...choices: Choice[]) =>
  updatedChoices(text, choices, RUN, "../choices.schema.json");

/** How what is observed of SHAPE compares with what the file says of it. */
function hold(was: string, observed: string, run = RUN) {
  const saved = read(update(undefined, choice("SHAPE", was)));
  const { file: _, ...told } = holdChoices(saved, [choice("SHAPE", observed)], run);
  return told;
}

const NOTHING = { changed: [], added: [], unseen: [], sameRun: true };

test("what is observed again holds", () => {
  assert.deepEqual(hold("so", "so"), NOTHING);
  assert.deepEqual(hold("otherwise | so", "otherwise | so"), NOTHING);
});

test("another reading is a change, and so is a further one", () => {
  assert.deepEqual(hold("so", "otherwise").changed, [{ point: "SHAPE", was: "so", observed: "otherwise" }]);
  assert.deepEqual(hold("so", "otherwise | so").changed.length, 1);
  assert.deepEqual(hold("so", "otherwise", { ...RUN, executed: 3 }).changed.length, 1);
});

test("a reading that is not seen again is a change only where the run looked at the same", () => {
  assert.deepEqual(hold("otherwise | so", "so").changed.length, 1);
  for (const more of [{ executed: 19 }, { seed: 2 }, { runs: 10 }, { suite: "cd".repeat(32) }])
    assert.deepEqual(hold("otherwise | so", "so", { ...RUN, ...more }), { ...NOTHING, sameRun: false });
});

test("what is not seen at all, or for the first time, is told and is no change", () => {
  assert.deepEqual(hold("so", "not seen").unseen, ["SHAPE"]);
  const saved = read("choices: {}\n");
  assert.deepEqual(holdChoices(saved, [choice("SHAPE", "so")], RUN), {
    file: "choices.yaml",
    changed: [],
    added: ["SHAPE"],
    unseen: [],
    sameRun: false,
  });
});

test("a new file has every choice that was seen, and how", () => {
  assert.equal(
    update(undefined, choice("SHAPE", "otherwise | so"), choice("CODE-X", "not seen")),
    `# yaml-language-server: $schema=../choices.schema.json

seen:
  suite: ${RUN.suite}
  seed: 1
  runs: 100
  executed: 20
choices:
  SHAPE: otherwise | so
`,
  );
});

test("an update keeps comments, and what was not seen this time", () => {
  const text = `# what our clients rely on
choices:
  # since 2.0
  SHAPE: so # on purpose
  CODE-X: A
`;
  assert.equal(
    update(text, choice("SHAPE", "otherwise"), choice("CODE-X", "not seen")),
    `# what our clients rely on
choices:
  # since 2.0
  SHAPE: otherwise # on purpose
  CODE-X: A
seen:
  suite: ${RUN.suite}
  seed: 1
  runs: 100
  executed: 20
`,
  );
});

for (const [what, text, line] of [
  [
    "a point that is none",
    "choices:\n  SHPAE: so\n",
    /^choices\.yaml:2:3: there is no open point SHPAE \(did you mean "SHAPE"\?\)$/,
  ],
  [
    "a reading that is no text",
    "choices:\n  SHAPE: [so]\n",
    /^choices\.yaml:2:3: .*must be a text, not a list$/,
  ],
  [
    "an unknown key",
    "choice: {}\n",
    /^choices\.yaml:1:1: unknown key "choice" \(did you mean "choices"\?\)$/,
  ],
] as const) {
  test(`${what} is refused with its place`, () => {
    assert.throws(() => read(text), { name: "DataError", message: line });
  });
}
