import assert from "node:assert/strict";
import { test } from "node:test";
import { SPELLINGS } from "../vectors/syntax.ts";
import { padTo, spell } from "./spelling.ts";

const VALUE = { b: 'quote " and back slash \\', a: "é€😀", "": ["x", 1, null, true, { deep: "," }] };

for (const spelling of SPELLINGS) {
  test(`${spelling} is the same JSON value`, () => {
    assert.deepEqual(JSON.parse(spell(VALUE, spelling)), VALUE);
  });
}

test("the spellings are different texts, each with what it is named after", () => {
  const texts = SPELLINGS.map((spelling) => spell(VALUE, spelling));
  assert.equal(new Set(texts).size, SPELLINGS.length);
  assert.deepEqual(Object.keys(JSON.parse(spell({ b: 1, a: 2 }, "reversed-keys"))), ["a", "b"]);
  assert.match(spell(VALUE, "white-space"), /^ \r\n\t\{/);
  assert.equal(spell({ a: "é" }, "escaped"), '{"\\u0061":"\\u00e9"}');
  assert.match(spell({ b: "x", a: "y" }, "reversed-white-space-escaped"), /^\n\{"\\u0061":"\\u0079" ,\n\t/);
});

test("padding reaches exactly so many bytes, not characters, and changes nothing", () => {
  const json = spell({ name: "é" }, "compact");
  const padded = padTo(json, 100);
  assert.equal(Buffer.byteLength(padded), 100);
  assert.deepEqual(JSON.parse(padded), { name: "é" });
  assert.equal(padTo(json, Buffer.byteLength(json)), json);
});
