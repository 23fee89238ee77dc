/** A second contract, of which the engine has never heard: what it does for one contract it does for any. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceModule } from "../adapters/in-process.ts";
import { forgetsLimit, ignoresAmount, losesFirst, offByOne } from "../testing/counter/broken-counters.ts";
import { COUNTER, COUNTER_SUITE_SCHEMA, COUNTER_SUITES } from "../testing/counter/counter-contract.ts";
import { counter } from "../testing/counter/counter-service.ts";
import { runCounter } from "../testing/counter/run-counter.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import type { Result } from "./play/result.ts";
import type { Report } from "./run/report.ts";
import { loadSuiteFiles } from "./vectors/load.ts";

const RANDOM = { only: ["property/*"], runs: 60 };
const failuresOf = ({ results }: Report) =>
  results.flatMap(({ id, failures }) =>
    failures.map(({ rules, expected, got }) => `${id} ${rules.join(" ")}: ${got}, not ${expected}`),
  );

test("right counters conform, whatever they make of the open point", async () => {
  for (const [fullStatus, reading] of [
    [409, "conflict"],
    [422, "unprocessable"],
  ] as const) {
    const report = await runCounter(counter({ fullStatus }), { runs: 60, exhaustive: 4 });
    assert.deepEqual(failuresOf(report), []);
    assert.deepEqual([report.contract, report.verdict, report.exitStatus], ["counter-1", "conforms", 0]);
    assert.equal(report.suite.executed, COUNTER_SUITES.vectors.length + 2);
    assert.deepEqual(
      report.rules.map(({ id, outcome }) => `${id} ${outcome}`),
      [
        "COUNT-1 passed",
        "COUNT-2 passed",
        "COUNT-3 passed",
        "LIMIT-1 passed",
        "LIMIT-2 passed",
        "LIMIT-3 passed",
      ],
    );
    assert.deepEqual(report.choices, [{ point: "FULL-STATUS", observed: reading, reference: "conflict" }]);
    assert.deepEqual(report.search, {
      depth: 4,
      sequences: 625,
      leftOut: 0,
      ofSequences: 625,
      steps: 3125,
      durationMs: 0,
    });
  }
});

const SEEN_BY_VECTORS: readonly (readonly [what: string, ServiceModule, failures: readonly string[]])[] = [
  [
    "ignores the amount",
    ignoresAmount,
    [
      "counter/add COUNT-1: value: 1, not value: 2",
      "counter/beyond-the-limit LIMIT-2 LIMIT-3: 200, not 409 FULL, or 422 FULL",
      "counter/together COUNT-2: value: 3, not value: 9",
    ],
  ],
  [
    "forgets the limit",
    forgetsLimit,
    ["counter/beyond-the-limit LIMIT-2 LIMIT-3: 200, not 409 FULL, or 422 FULL"],
  ],
  [
    "loses the first addition after a start",
    losesFirst,
    [
      "counter/add COUNT-1: value: 3, not value: 5",
      "counter/read COUNT-2: value: 0, not value: 1",
      "counter/beyond-the-limit LIMIT-2 LIMIT-3: 200, not 409 FULL, or 422 FULL",
      "counter/together COUNT-2: value: 6, not value: 9",
    ],
  ],
  ["has room for one more, which no vector shows", offByOne, []],
];

for (const [what, service, failures] of SEEN_BY_VECTORS) {
  test(`vectors: a counter that ${what}`, async () => {
    const report = await runCounter(service);
    assert.deepEqual(failuresOf(report), failures);
    assert.equal(report.verdict, failures.length === 0 ? "conforms" : "does-not-conform");
  });
}

test("a random search finds a counter without a limit, in as few steps as there can be", async () => {
  const [found] = (await runCounter(forgetsLimit, RANDOM)).results;
  assert.deepEqual([found?.id, found?.failures[0]?.rules], ["property/counting", ["LIMIT-2"]]);
  assert.equal(
    found?.vector,
    `suite: found
vectors:
  - id: counting
    title: the service keeps LIMIT-2 in a sequence that was found by search
    rules: [ LIMIT-2 ]
    steps:
      - repeat:
          times: 3
          steps:
            - add: { by: 3 }
      - add: { by: 3 }
        expect: { any: { conflict: 409 FULL, unprocessable: 422 FULL }, open: FULL-STATUS }
`,
  );
  // Four additions: no three commands show it.
  const shorter = await runCounter(forgetsLimit, { exhaustive: 3, only: ["property/every-count"] });
  assert.deepEqual([shorter.search?.sequences, failuresOf(shorter)], [125, []]);
});

test("a random search finds a counter that loses what was added first, in two steps", async () => {
  const [found] = (await runCounter(losesFirst, RANDOM)).results;
  assert.deepEqual([found?.id, found?.failures[0]?.rules], ["property/counting", ["COUNT-1"]]);
  assert.equal(
    found?.vector,
    `suite: found
vectors:
  - id: counting
    title: the service keeps COUNT-1 in a sequence that was found by search
    rules: [ COUNT-1 ]
    steps:
      - add: { by: 3 }
      - add: { by: 3 }
        expect: { is: 200, body: { value: 6 } }
`,
  );
  const shorter = await runCounter(losesFirst, { exhaustive: 1, only: ["property/every-count"] });
  assert.deepEqual([shorter.search?.sequences, failuresOf(shorter)], [5, []]);
});

test("an exhaustive search finds the one value too many, and says how far it came", async () => {
  const report = await runCounter(offByOne, { exhaustive: 4 });
  assert.deepEqual(failuresOf(report), ["property/every-count LIMIT-2: 200, not 409 FULL, or 422 FULL"]);
  // The 188th of 625 sequences, each a restart and four commands.
  assert.deepEqual(report.search, {
    depth: 4,
    sequences: 188,
    leftOut: 0,
    ofSequences: 625,
    steps: 940,
    durationMs: 0,
  });
  assert.deepEqual(additionsOf(report.results.at(-1)), [2, 3, 3, 3]);
});

test("a vector that a search found fails again for the same rule, and passes on a right counter", async (context) => {
  const more = { ...RANDOM, exhaustive: 4 };
  for (const service of [ignoresAmount, forgetsLimit, losesFirst, offByOne]) {
    const searched = await runCounter(service, more);
    for (const { id, vector = "", failures } of searched.results) {
      const suites = loadSuiteFiles(
        [temporaryFile(context, "found.yaml", vector)],
        COUNTER_SUITE_SCHEMA,
        COUNTER,
      );
      const [again] = (await runCounter(service, { suites })).results;
      assert.deepEqual(again?.failures[0]?.rules, failures[0]?.rules, `${id}:\n${vector}`);
      assert.deepEqual(failuresOf(await runCounter(counter(), { suites })), []);
    }
  }
});

/** What the additions of a sequence were, in order. */
function additionsOf(result: Result | undefined): readonly unknown[] {
  return (result?.trace ?? []).flatMap(({ request }) => {
    const { body = "{}" } = request as { readonly body?: string };
    const { by } = JSON.parse(body) as { readonly by?: unknown };
    return by === undefined ? [] : [by];
  });
}
