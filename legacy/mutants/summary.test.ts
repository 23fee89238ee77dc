import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../testing/contract-data.ts";
import type { MutantOutcome, VariantOutcome } from "./judge.ts";
import type { JudgedSuite } from "./judge-suite.ts";
import type { ConformingVariant, Mutant } from "./suite.ts";
import { summaryOf } from "./summary.ts";
import { uniqueKillers } from "./traceability.ts";

const place = { file: "suite.yaml", line: 1 };
const broken = (id: string, breaks: readonly string[], more: Partial<Mutant> = {}): Mutant => ({
  id,
  title: `what ${id} is`,
  why: "a slip",
  breaks,
  edits: [],
  place,
  ...more,
});
const legal = (id: string, choices: ConformingVariant["choices"] = {}): ConformingVariant => ({
  id,
  title: `what ${id} is`,
  choices,
  apart: [],
  edits: [],
  place,
});

function judged(
  entries: readonly (readonly [Mutant, Omit<MutantOutcome, "id">])[],
  unlike: readonly (readonly [ConformingVariant, Omit<VariantOutcome, "id">])[] = [],
): JudgedSuite {
  return {
    broken: entries.map(([entry]) => entry),
    legal: unlike.map(([entry]) => entry),
    combinations: [],
    side: "services",
    mutantOutcomes: new Map(entries.map(([{ id }, outcome]) => [id, { id, ...outcome }])),
    variantOutcomes: new Map(unlike.map(([{ id }, outcome]) => [id, { id, ...outcome }])),
  };
}
const conforming = { conforms: true, choices: {}, complaints: [] };

test("a suite whose mutants are caught and whose variants conform is good, and the last line has both numbers", () => {
  const { text, good } = summaryOf(
    judged(
      [[broken("limit/a", ["LIMIT-1"]), { caughtBy: { "LIMIT-1": ["limits/one", "limits/two"] } }]],
      [[legal("legal/a"), conforming]],
    ),
    contract,
    undefined,
  );
  assert.ok(good);
  assert.match(text, /^LIMIT-1 {8,}limit\/a \(2\)$/m);
  assert.equal(
    text.split("\n").at(-1),
    "1 of 1 mutants of services caught by the right rule; 1 of 1 conforming variants accepted (plus 0 of 0 combinations)",
  );
});

const faults: readonly (readonly [string, Mutant, Omit<MutantOutcome, "id">, string])[] = [
  [
    "survives",
    broken("limit/a", ["LIMIT-1"]),
    { caughtBy: { "LIMIT-1": [] }, allBroken: [] },
    "survives LIMIT-1; nothing else failed",
  ],
  [
    "is caught by an unrelated rule alone",
    broken("limit/a", ["LIMIT-1"]),
    { caughtBy: { "LIMIT-1": [] }, allBroken: ["LIMIT-2"] },
    "survives LIMIT-1; instead failed LIMIT-2",
  ],
  [
    "is caught for one of its two rules",
    broken("limit/a", ["LIMIT-1", "LIMIT-2"]),
    { caughtBy: { "LIMIT-1": ["limits/one"], "LIMIT-2": [] }, allBroken: ["LIMIT-1"] },
    "survives LIMIT-2; nothing else failed",
  ],
  [
    "is seen only by vectors about something else",
    broken("limit/a", ["LIMIT-1"]),
    { caughtBy: { "LIMIT-1": [] }, allBroken: ["LIMIT-1"] },
    "LIMIT-1 fails only in vectors that do not name it",
  ],
  [
    "names a property although a vector sees it",
    broken("limit/a", ["LIMIT-1"], { property: "property/stateful" }),
    { caughtBy: { "LIMIT-1": ["limits/one", "property/stateful"] } },
    "needs no property/stateful: limits/one sees it",
  ],
  [
    "breaks the adapter",
    broken("limit/a", ["LIMIT-1"]),
    { caughtBy: {}, fault: "it threw" },
    "broke down: it threw",
  ],
];
for (const [what, entry, outcome, complaint] of faults) {
  test(`a mutant that ${what} is reported`, () => {
    const { text, good } = summaryOf(judged([[entry, outcome]]), contract, undefined);
    assert.equal(good, false);
    assert.ok(text.includes(`limit/a: what limit/a is\n  ${complaint}\n`), text);
    assert.match(text, /^0 of 1 mutants of services/m);
  });
}

test("a conforming variant that fails, or chooses otherwise than it says, is reported", () => {
  const choices = { "SESSION-INSTANT": "valid" };
  const failing = {
    conforms: false,
    choices: {},
    complaints: ["limits/one: LIMIT-1: expected 200, got 400"],
  };
  const { text, good } = summaryOf(
    judged(
      [],
      [
        [legal("legal/a"), failing],
        [legal("legal/b", choices), { ...conforming, choices: { "DRAFT-INSTANT": "valid" } }],
        [legal("legal/c", choices), { ...conforming, choices }],
      ],
    ),
    contract,
    undefined,
  );
  assert.equal(good, false);
  assert.match(text, /^legal\/a: .*\n {2}limits\/one: LIMIT-1: expected 200, got 400$/m);
  assert.match(
    text,
    /^legal\/b: .*\n {2}DRAFT-INSTANT: valid was seen, not expected\n {2}SESSION-INSTANT: as the reference was seen, not valid$/m,
  );
  assert.match(text, /1 of 3 conforming variants accepted/);
});

for (const [count, last] of [
  [20, "limits/20: LIMIT-1: expected 200, got 400"],
  [21, "… and 1 more"],
  [900, "… and 880 more"],
] as const) {
  test(`of ${count} complaints about a service 20 are shown`, () => {
    const complaints = Array.from(
      { length: count },
      (_, index) => `limits/${index + 1}: LIMIT-1: expected 200, got 400`,
    );
    const { text } = summaryOf(
      judged([], [[legal("legal/a"), { conforms: false, choices: {}, complaints }]]),
      contract,
      undefined,
    );
    const told = text.split("\n").filter((line) => line.startsWith("  "));
    assert.equal(told.filter((line) => line.startsWith("  limits/")).length, 20);
    assert.equal(told.at(-1), `  ${last}`);
  });
}

test("a suite or property that no mutant needs is reported, and so is a rule without a mutant of its own", () => {
  const bank = judged([
    [broken("limit/a", ["LIMIT-1"]), { caughtBy: { "LIMIT-1": ["limits/one", "limits/two"] } }],
    [broken("limit/b", ["LIMIT-2"]), { caughtBy: { "LIMIT-2": ["limits/one", "rates/one"] } }],
    [broken("limit/c", ["LIMIT-3"]), { caughtBy: { "LIMIT-3": ["property/texts"] } }],
  ]);
  const killers = uniqueKillers(
    bank,
    ["limits", "rates"],
    ["property/texts", "property/uris", "property/races"],
  );
  assert.deepEqual(
    [...killers.services],
    [
      ["limits", ["limit/a"]],
      ["rates", []],
      ["property/texts", ["limit/c"]],
      ["property/uris", []],
      ["property/races", []],
    ],
  );
  assert.deepEqual(killers.needless, ["rates", "property/uris"]);
  assert.deepEqual([...killers.excused.keys()], ["property/races"]);
  const { text, good } = summaryOf(bank, contract, { uncovered: ["LIMIT-9"], killers });
  assert.equal(good, false);
  assert.match(text, /^limits {12}1 {2}limit\/a$/m);
  assert.match(text, /^Could be deleted unnoticed: rates, property\/uris;/m);
  assert.match(text, /^No mutant of its own: LIMIT-9$/m);
});
