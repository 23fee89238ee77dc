import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { parseYaml } from "../engine/data/yaml-source.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { applyBaseline, baselineOf, type KnownFailure, readBaseline, updatedBaseline } from "./baseline.ts";

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

const RESULTS = [
  resultOf("a/passes", ["LIMIT-1"]),
  failedResult("a/fails", ["LIMIT-2"]),
  resultOf("a/skipped", ["LIMIT-1"], { outcome: "skipped", reason: "needs x" }),
  resultOf("a/broke", ["LIMIT-1"], { outcome: "error", reason: "no answer" }),
  resultOf("property/passes", ["LIMIT-1"], { kind: "property" }),
];
const IDS = new Set([...RESULTS.map(({ id }) => id), "a/not-selected"]);
const USUAL = { whole: true, usualCases: true };

function apply(entry: Omit<KnownFailure, "reason">, reach = USUAL, today = "2026-11-21") {
  const baseline = { file: "known.yaml", known: [{ reason: "seen to", ...entry }] };
  const { results, report } = applyBaseline({ baseline, today, ids: IDS }, RESULTS, reach);
  const { file: _, ...told } = report;
  const marked = results.filter(({ known }) => known !== undefined).map(({ id }) => id);
  assert.deepEqual(marked, told.known);
  return told;
}

const NOTHING = { known: [], stale: [], expired: [], otherRules: [] };

test("a failure that is known is marked with what is known of it", () => {
  assert.deepEqual(apply({ id: "a/fails" }), { ...NOTHING, known: ["a/fails"] });
  assert.deepEqual(apply({ id: "a/fails", rules: ["LIMIT-2", "ERROR-1"] }), {
    ...NOTHING,
    known: ["a/fails"],
  });
  const entry = { id: "a/fails", reason: "r", link: "https://a.example", expires: "2027-01-01" };
  const gate = { baseline: { file: "f", known: [entry] }, today: "2026-01-01", ids: IDS };
  const { results } = applyBaseline(gate, RESULTS, USUAL);
  assert.deepEqual(results[1]?.known, { reason: "r", link: "https://a.example", expires: "2027-01-01" });
});

test("a failure for another rule is new", () => {
  assert.deepEqual(apply({ id: "a/fails", rules: ["LIMIT-1"] }), {
    ...NOTHING,
    otherRules: [{ id: "a/fails", rules: ["LIMIT-2"] }],
  });
});

test("an entry holds through its last day and no longer", () => {
  const entry = { id: "a/fails", expires: "2026-11-21" };
  assert.deepEqual(apply(entry, USUAL, "2026-11-21").known, ["a/fails"]);
  assert.deepEqual(apply(entry, USUAL, "2026-11-22"), {
    ...NOTHING,
    expired: [{ id: "a/fails", expires: "2026-11-21" }],
  });
});

test("what passes now is stale", () => {
  assert.deepEqual(apply({ id: "a/passes" }).stale, [{ id: "a/passes", why: "it passes now" }]);
  assert.deepEqual(apply({ id: "a/passes", expires: "2020-01-01" }).stale.length, 1);
});

test("an id that the suite does not have is stale, with a guess at the slip", () => {
  assert.deepEqual(apply({ id: "a/fals" }).stale, [
    { id: "a/fals", why: 'there is no such vector or property (did you mean "a/fails"?)' },
  ]);
});

test("neither an error nor a skip is waived, and neither makes an entry stale", () => {
  for (const id of ["a/broke", "a/skipped", "a/not-selected"]) assert.deepEqual(apply({ id }), NOTHING);
});

test("a part of a run calls nothing stale", () => {
  for (const id of ["a/passes", "a/fals"])
    assert.deepEqual(apply({ id }, { whole: false, usualCases: true }), NOTHING);
});

test("a property that passes fewer cases than usual may still fail", () => {
  assert.deepEqual(apply({ id: "property/passes" }).stale.length, 1);
  assert.deepEqual(apply({ id: "property/passes" }, { whole: true, usualCases: false }), NOTHING);
});

const UPDATE_BASELINE_RESULTS = [
  failedResult("b/new", ["LIMIT-2"]),
  failedResult("a/fails", ["LIMIT-2", "LIMIT-1"]),
  resultOf("a/passes", ["LIMIT-1"]),
  resultOf("a/skipped", ["LIMIT-1"], { outcome: "skipped", reason: "needs x" }),
];
const UPDATE_BASELINE_IDS = new Set([...UPDATE_BASELINE_RESULTS.map(({ id }) => id), "c/not-selected"]);
const update = (text?: string, results = UPDATE_BASELINE_RESULTS) =>
  updatedBaseline(text, results, UPDATE_BASELINE_IDS, "../baseline.schema.json");

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
