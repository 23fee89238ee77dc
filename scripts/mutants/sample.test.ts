import assert from "node:assert/strict";
import { test } from "node:test";
import { type Draw, drawSample } from "./sample.ts";

const numbers = Array.from({ length: 100 }, (_, index) => index);
const CANDIDATES = [
  ...numbers.map((index) => ({
    id: `limit/${index}`,
    breaks: [`LIMIT-${index}`],
    files: ["bank/limit.yaml", index < 10 ? "reference/limiter.ts" : "reference/handler.ts"],
  })),
  ...numbers.map((index) => ({ id: `legal/${index}`, files: ["bank/legal.yaml"] })),
];
const DRAW: Draw = {
  size: 40,
  seed: 1,
  changed: undefined,
  rulesOfFiles: new Map([["suites/rates.yaml", new Set(["LIMIT-20", "LIMIT-21"])]]),
  unrelated: ["docs", "reports"],
};
const sample = (more: Partial<Draw> = {}) => drawSample(CANDIDATES, { ...DRAW, ...more });

test("a sample has the size that was asked for, one in ten of it a conforming variant", () => {
  const ids = sample();
  assert.equal(new Set(ids).size, 40);
  assert.equal(ids.filter((id) => id.startsWith("legal/")).length, 4);
});

test("the seed decides what is drawn, and nothing else does", () => {
  assert.deepEqual(sample(), sample());
  assert.notDeepEqual(sample(), sample({ seed: 2 }));
  assert.deepEqual(drawSample([...CANDIDATES].reverse(), DRAW), [...sample()].reverse());
});

test("mutants that edit a changed file, or break a rule of a changed suite, are in every sample", () => {
  for (const seed of [1, 2, 3]) {
    const edited = sample({ seed, changed: ["reference/limiter.ts"] });
    for (const index of numbers.slice(0, 10)) assert.ok(edited.includes(`limit/${index}`));
    const named = sample({ seed, changed: ["suites/rates.yaml"] });
    assert.ok(named.includes("limit/20") && named.includes("limit/21"));
  }
});

test("a change that touches everything leaves a quarter of the sample to the seed", () => {
  const ids = sample({ size: 10, changed: ["reference/limiter.ts"] });
  const about = ids.filter((id) => Number(/^limit\/(\d+)$/.exec(id)?.[1] ?? 100) < 10);
  assert.ok(about.length >= 7 && about.length < 9);
});

test("a change on which no verdict depends gets a quarter of the sample", () => {
  assert.equal(sample({ changed: ["docs/page.md", "legacy/reports/tap.ts"] }).length, 10);
  assert.equal(sample({ changed: ["docs/page.md", "reference/draft.ts"] }).length, 40);
  assert.equal(sample({ changed: [] }).length, 10);
});

test("a sample as large as the mutant suite is all of it", () => {
  assert.equal(sample({ size: 1_000 }).length, CANDIDATES.length);
});
