import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../testing/contract-data.ts";
import { HEADINGS, unknownHeadings } from "../testing/contract-headings.ts";

const statements = [...contract.rules.values(), ...contract.points.values()];

test("every rule and open point cites headings that the contract has", () => {
  assert.deepEqual(unknownHeadings(statements), []);
});

test("every heading is cited by a rule or an open point", () => {
  const cited = new Set(statements.flatMap(({ section }) => section.split("; ")));
  assert.deepEqual(
    [...HEADINGS].filter((heading) => !cited.has(heading)),
    [],
  );
});

test("the id of a rule begins with its area", () => {
  const odd = [...contract.rules.values()].filter(({ id, area }) => !id.startsWith(`${area.toUpperCase()}-`));
  assert.deepEqual(odd, []);
});

test("no two rules say the same, and no two open points ask the same", () => {
  const said = statements.map((entry) => ("statement" in entry ? entry.statement : entry.question));
  assert.deepEqual(
    said.filter((text, index) => said.indexOf(text) !== index),
    [],
  );
});

test("a rule that is open or mere advice is observable: else it would say nothing", () => {
  const silent = [...contract.rules.values()].filter(
    ({ level, observable }) => level !== "required" && !observable,
  );
  assert.deepEqual(silent, []);
});

test("readings of one open point have outcomes that can be told apart", () => {
  for (const { id, readings } of contract.points.values()) {
    const outcomes = readings.flatMap(({ outcome }) =>
      outcome === undefined
        ? []
        : (outcome.codes.length === 0 ? [""] : outcome.codes).map((code) => `${outcome.status} ${code}`),
    );
    assert.equal(new Set(outcomes).size, outcomes.length, id);
  }
});
