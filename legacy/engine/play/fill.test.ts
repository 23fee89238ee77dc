import assert from "node:assert/strict";
import { test } from "node:test";
import { mentions, unknownFunctions } from "../vectors/template.ts";
import type { Template } from "../vectors/vector.ts";
import { fill } from "./fill.ts";
import { NotApplicable } from "./step-ends.ts";

const VALUES: Readonly<Record<string, Template>> = {
  alice: "KEY",
  answer: { id: "f0", size: 3, none: null },
};
const lookup = (name: string, path: readonly string[]): Template =>
  path.reduce<Template>(
    (value, key) => (value as Record<string, Template>)[key] ?? null,
    VALUES[name] ?? null,
  );
const filled = (template: Template) => fill(template, lookup, "suite.yaml:7");

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: vectors write names in this way, too
for (const [template, value] of [
  ["plain", "plain"],
  ["$alice", "KEY"],
  ["$answer", VALUES["answer"]],
  ["$answer.size", 3],
  ["id ${answer.id} of ${alice}", "id f0 of KEY"],
  ["${answer.size} and ${answer.none}", "3 and null"],
  ["$Alice and $ alone and $${alice}", "$Alice and $ alone and $KEY"],
  ["costs $5", "costs $5"],
  [
    ["$alice", { x: "$answer.id" }, 5, null],
    ["KEY", { x: "f0" }, 5, null],
  ],
  [{ $repeat: ["ab", 3] }, "ababab"],
  [{ $repeat: ["ab", 0] }, ""],
  [{ $fill: { start: "a", with: "é", bytes: 5 } }, "aéé"],
  [{ $fill: { start: "a", with: "é", characters: 5 } }, "aéééé"],
  [{ $fill: { start: "a", with: "😀", characters: 3 } }, "a😀😀"],
  [{ $fill: { start: "abc", with: "x", bytes: 3 } }, "abc"],
  [{ $upper: "$answer.id" }, "F0"],
  [{ $lower: "ABC" }, "abc"],
  [{ $otherHex: "ab0" }, "ab1"],
  [{ $otherHex: "abf" }, "ab0"],
  [{ $otherStart: "0bf" }, "1bf"],
  [{ $otherStart: "abf" }, "0bf"],
  [{ $otherEnd: "abcA" }, "abc0"],
  [{ $otherEnd: "abcz" }, "abcA"],
  [{ $unlessSame: ["one", "two"] }, "one"],
  [{ $slice: ["abcdef", 1, 3] }, "bc"],
  [{ $slice: ["abcdef", -2] }, "ef"],
  [{ $replace: ["a.b.c", ".", "$&"] }, "a$&b.c"],
  [{ $nested: 3 }, "[[[]]]"],
  [{ $upper: { $replace: ["$alice", "K", "k"] } }, "KEY"],
  [
    { $upper: "a", other: 1 },
    { $upper: "a", other: 1 },
  ],
] as const) {
  test(`${JSON.stringify(template)} is filled in`, () => {
    assert.deepEqual(filled(template as Template), value);
  });
}

for (const [template, message] of [
  [{ $repeat: "ab" }, "$repeat takes [text, times]"],
  [{ $repeat: ["ab", "3"] }, "$repeat takes [text, times]"],
  [{ $fill: { start: "a", with: "é", bytes: 4 } }, "$fill cannot reach exactly 4"],
  [{ $fill: { start: "abc", with: "x", bytes: 2 } }, "$fill cannot reach exactly 2"],
  [{ $fill: null }, "$fill takes { start, with, bytes } or { start, with, characters }"],
  [{ $upper: 5 }, "$upper takes a text"],
  [{ $lower: ["a"] }, "$lower takes a text"],
  [{ $otherHex: null }, "$otherHex takes a text"],
  [{ $otherStart: 1 }, "$otherStart takes a text"],
  [{ $otherEnd: "" }, "$otherEnd takes a text"],
  [{ $unlessSame: "one" }, "$unlessSame takes [text, other, …]"],
  [{ $slice: ["$answer.none", 0] }, "$slice takes [text, from, to]"],
  [{ $replace: ["abc", "x", "y"] }, '$replace "x" is not in the text'],
  [{ $replace: ["abc", "x"] }, "$replace takes [text, search, replacement]"],
  [{ $nested: "3" }, "$nested takes a depth"],
] as const) {
  test(`${JSON.stringify(template)} cannot be filled in: ${message}`, () => {
    assert.throws(() => filled(template as Template), { message: `suite.yaml:7: ${message}` });
  });
}

test("a text that must differ from another does not apply where it is the same", () => {
  assert.throws(() => filled({ $unlessSame: ["one", "one"] }), NotApplicable);
});

test("names and functions are found wherever they stand", () => {
  const template: Template = {
    a: ["$first.id", { $upper: "x ${second} y ${third.z}" }],
    b: { $zzz: "$fourth" },
  };
  assert.deepEqual(
    mentions(template).map(({ name, path }) => [name, ...path].join(".")),
    ["first.id", "second", "third.z", "fourth"],
  );
  assert.deepEqual(unknownFunctions(template), ["$zzz"]);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: vectors write names in this way, too
