import assert from "node:assert/strict";
import { test } from "node:test";
import { benchPage, rowsOf } from "./page.ts";

const MEASURES = [
  {
    id: "a",
    title: "one / other",
    bar: { atMost: 2 },
    figure: 1.23456,
    holds: true,
    sides: [
      { name: "one", unit: "s", median: 0.0123, samples: [] },
      { name: "other", unit: "1/s", median: 12345.6, samples: [] },
      { name: "third", unit: "s", median: 0.000012, samples: [] },
    ],
    notes: ["so many"],
  },
  {
    id: "b",
    title: "gone",
    unit: "s",
    bar: { atLeast: 1 },
    holds: false,
    sides: [],
    notes: [],
    why: ["It was never built."],
    fault: "not there",
  },
];

test("a row tells the figure, its bar and the sides, or why there is no figure", () => {
  assert.deepEqual(rowsOf(MEASURES), [
    ["one / other", "1.23", "at most 2", "yes", "one 12.3 ms; other 12346 a second; third 12 µs"],
    ["gone", "not measured", "at least 1 s", "no", "not there"],
  ]);
});

test("the page names the machine, and why bars are not kept", () => {
  const machine = { processor: "Some CPU", cores: 2, memoryGb: 8, node: "20", system: "linux" };
  const page = benchPage({ machine, runs: 5, measures: MEASURES });
  assert.match(page, /5 runs on Some CPU, 2 cores, 8 GB, linux, Node 20\./);
  assert.match(page, /- one \/ other: so many/);
  assert.match(page, /\n\n## Why the bar is not kept: gone\n\nIt was never built\.\n$/);
});
