import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonDifferences } from "./differences.ts";
import { atPointer, escapePointer, type Match, matchersFor, matches } from "./matchers.ts";

const CASES: readonly (readonly [Match, readonly unknown[], readonly unknown[]])[] = [
  [
    { match: "regex", regex: "^[a-f0-9]{4}$" },
    ["00ff"],
    ["00FF", "00ff0", "", 1234, null, undefined, ["00ff"]],
  ],
  [{ match: "type", type: "integer" }, [0, -1, 5e9], [1.5, "1", null, [], Number.NaN]],
  [{ match: "type", type: "number" }, [0, 1.5], ["1", null]],
  [{ match: "type", type: "string" }, ["", "a"], [1, null, {}]],
  [{ match: "type", type: "boolean" }, [true, false], ["true", 0]],
  [{ match: "type", type: "array" }, [[], [1]], [{}, "[]", null]],
  [{ match: "type", type: "object" }, [{}, { a: 1 }], [[], null, "{}"]],
  [{ match: "type", type: "null" }, [null], [undefined, 0, ""]],
  [{ match: "any" }, [undefined, null, 0, "", {}, []], []],
  [
    { match: "timestamp" },
    ["2026-10-10T12:00:07.137Z", 1_791_633_607, "1791633607137"],
    ["soon", 7, null, true, {}],
  ],
];

test("a matcher takes what it is for and says no to everything else", () => {
  for (const [match, right, wrong] of CASES) {
    for (const value of right) assert.ok(matches(match, value), `${JSON.stringify(match)} ${String(value)}`);
    for (const value of wrong) assert.ok(!matches(match, value), `${JSON.stringify(match)} ${String(value)}`);
  }
});

test("an error has matchers for nothing but members that the contract does not name", () => {
  const body = { code: "INVALID_PROOF", productionApproved: false, "a/b~c": 1 };
  assert.deepEqual(
    matchersFor("verify", { status: 401, body }, new Set(), () => false),
    [{ pointer: "/a~1b~0c", match: "any", varies: "implementation", optional: true }],
  );
  assert.deepEqual(
    matchersFor("verify", { status: 401, body }, new Set(), () => true),
    [{ pointer: "/a~1b~0c", match: "type", type: "integer", varies: "run", optional: true }],
  );
});

test("a JSON Pointer leads to its value, and to nothing that is not the value's own", () => {
  const value = { "a/b": [{ "~": 1 }], list: [2] };
  assert.equal(atPointer(value, `/${escapePointer("a/b")}/0/${escapePointer("~")}`), 1);
  for (const pointer of ["/list/length", "/list/-1", "/list/1", "/constructor", "/a/b", "/list/0/0"])
    assert.equal(atPointer(value, pointer), undefined, pointer);
});

test("differences go as deep as both values do, and leave out what is set aside", () => {
  const was = { a: [1, { b: 2 }], same: {}, gone: null };
  const is = { a: [1, { b: 3 }, 4], same: {}, more: 0 };
  assert.deepEqual(jsonDifferences(was, is), [
    { pointer: "/a/1/b", was: 2, is: 3 },
    { pointer: "/a/2", was: undefined, is: 4 },
    { pointer: "/gone", was: null, is: undefined },
    { pointer: "/more", was: undefined, is: 0 },
  ]);
  assert.deepEqual(
    jsonDifferences(was, is, (pointer) => ["/a", "/gone"].includes(pointer)).map(({ pointer }) => pointer),
    ["/more"],
  );
  assert.deepEqual(jsonDifferences([], {}), [{ pointer: "", was: [], is: {} }]);
});
