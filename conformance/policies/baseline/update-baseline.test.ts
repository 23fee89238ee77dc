import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "../../engine/data/yaml-source.ts";
import { failedResult, resultOf } from "../../testing/results.ts";
import { baselineOf } from "./baseline.ts";
import { updatedBaseline } from "./update-baseline.ts";

const RESULTS = [
  failedResult("b/new", ["LIMIT-2"]),
  failedResult("a/fails", ["LIMIT-2", "LIMIT-1"]),
  resultOf("a/passes", ["LIMIT-1"]),
  resultOf("a/skipped", ["LIMIT-1"], { outcome: "skipped", reason: "needs x" }),
];
const IDS = new Set([...RESULTS.map(({ id }) => id), "c/not-selected"]);
const update = (text?: string, results = RESULTS) =>
  updatedBaseline(text, results, IDS, "../baseline.schema.json");

test("a new file knows every failure, in the order of ids, and has reasons to fill in", () => {
  const text = update();
  assert.equal(
    text,
    `# yaml-language-server: $schema=../baseline.schema.json

known:
  - id: a/fails
    rules: [LIMIT-2]
    reason: not yet explained
  - id: b/new
    rules: [LIMIT-2]
    reason: not yet explained
`,
  );
  assert.equal(baselineOf(parseYaml(text, "known.yaml")).known.length, 2);
  assert.equal(update(text), text, "an update of what has not changed changes nothing");
});

test("what people wrote stays, and what is no more goes", () => {
  const text = update(`# our failures
known:
  # kept until the rewrite
  - id: c/not-selected
    reason: it is slow # on purpose
  - id: a/passes
    reason: gone
  - id: z/unknown
    reason: gone
  - id: a/skipped
    reason: cannot be tried here
  # the clock
  - id: a/fails
    rules: [LIMIT-2]
    reason: 'two clocks'
    link: https://a.example/1
    expires: 2020-01-01
`);
  assert.equal(
    text,
    `# our failures
known:
  # the clock
  - id: a/fails
    rules: [LIMIT-2]
    reason: 'two clocks'
    link: https://a.example/1
    expires: 2020-01-01
  - id: a/skipped
    reason: cannot be tried here
  - id: b/new
    rules: [LIMIT-2]
    reason: not yet explained
  # kept until the rewrite
  - id: c/not-selected
    reason: it is slow # on purpose
`,
  );
});

test("a reason is not stretched to another rule", () => {
  const known = (rules: string) => `known:\n  - { id: a/fails, rules: [${rules}], reason: two clocks }\n`;
  const entry = (rules: string) => baselineOf(parseYaml(update(known(rules)), "known.yaml")).known[0];
  assert.deepEqual(entry("LIMIT-2, LIMIT-3"), { id: "a/fails", rules: ["LIMIT-2"], reason: "two clocks" });
  assert.deepEqual(entry("LIMIT-1"), {
    id: "a/fails",
    rules: ["LIMIT-2"],
    reason: "not yet explained; for LIMIT-1: two clocks",
  });
});

test("where nothing fails, nothing is known", () => {
  assert.match(update(undefined, [resultOf("a/passes", ["LIMIT-1"])]), /^known: \[\]$/m);
});
