import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { loadRuleBook } from "../../engine/rule-book.ts";
import { PATHS } from "../../paths.ts";
import { contract } from "../../testing/contract-data.ts";
import { unknownHeadings } from "../../testing/contract-headings.ts";

const book = loadRuleBook(join(PATHS.contract, "client"), PATHS.contract);
const statements = [...book.rules.values(), ...book.points.values()];

test("every rule and open point of clients cites headings that the contract has", () => {
  assert.deepEqual(unknownHeadings(statements), []);
});

test("the id of a client's rule says so, and begins with its area", () => {
  const odd = [...book.rules.values()].filter(
    ({ id, area }) => !id.startsWith(`CLIENT-${area.toUpperCase()}-`),
  );
  assert.deepEqual(odd, []);
});

test("open points of clients say so, and none has the id of a rule", () => {
  const odd = [...book.points.keys()].filter((id) => !id.startsWith("CLIENT-") || book.rules.has(id));
  assert.deepEqual(odd, []);
});

test("no id and no area is without use, and none is the services', too", () => {
  const ids = [...book.rules.keys(), ...book.points.keys()];
  assert.deepEqual(
    ids.filter((id) => contract.rules.has(id) || contract.points.has(id)),
    [],
  );
  const used = new Set(statements.map(({ area }) => area));
  assert.deepEqual(
    [...book.areas.keys()].filter((area) => !used.has(area)),
    [],
  );
});

test("a client's rule that is mere advice is observable: else it would say nothing", () => {
  const silent = [...book.rules.values()].filter(
    ({ level, observable }) => level !== "required" && !observable,
  );
  assert.deepEqual(silent, []);
});
