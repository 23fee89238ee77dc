import assert from "node:assert/strict";
import { test } from "node:test";
import { newPage, rowsOf } from "./page.ts";

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
    fault: "not there",
  },
];

test("a row tells the figure, its bar and the sides, or why there is no figure", () => {
  assert.deepEqual(rowsOf(MEASURES), [
    ["one / other", "1.23", "at most 2", "yes", "one 12.3 ms; other 12346 a second; third 12 µs"],
    ["gone", "not measured", "at least 1 s", "no", "not there"],
  ]);
});

test("the page names the machine", () => {
  const machine = { processor: "Some CPU", cores: 2, memoryGb: 8, node: "20", system: "linux" };
  const page = newPage("", { figures: { machine, runs: 5, measures: MEASURES } });
  assert.match(page, /5 runs on Some CPU, 2 cores, 8 GB, linux, Node 20\./);
  assert.match(page, /- one \/ other: so many/);
});

test("figures and profiles are written by themselves", () => {
  const machine = { processor: "Some CPU", cores: 2, memoryGb: 8, node: "20", system: "linux" };
  const figures = { machine, runs: 5, measures: MEASURES };
  const shares = new Map([
    ["playing", 0.745],
    ["waiting", 0.24],
    ["little", 0.015],
  ]);
  const threads = [
    { name: "the kit", seconds: 2.345, shares },
    { name: "another", seconds: 1, shares: new Map([["waiting", 1]]) },
  ];
  const why = ["It waits for the other."];
  const profiles = [{ id: "a", title: "one / other", why, threads }];
  const measured = newPage("", { figures });
  const both = newPage(measured, { profiles });
  assert.ok(both.startsWith(measured));
  assert.match(both, /### one \/ other\n\nIt waits for the other\.\n\n\| part/);
  assert.match(
    both,
    /\| part \| the kit \| another \|\n.*\n\| waiting \| 24 % \| 100 % \|\n\| playing \| 75 % \| 0 % \|\n\| less than 2 % each \| 2 % \| 0 % \|\n/,
  );
  assert.equal(newPage(both, { figures: { ...figures, runs: 7 } }), both.replace("5 runs", "7 runs"));
  assert.equal(newPage(both, { profiles }), both);
});
