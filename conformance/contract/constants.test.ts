// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of data files have the form of templates.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILDS_PER_MINUTE, fillFacts } from "./constants.ts";

test("an expression alone gives a number, and an expression within text gives digits", () => {
  const limit = BUILDS_PER_MINUTE;
  assert.equal(fillFacts("$perMinute"), limit);
  assert.equal(fillFacts("2 * ($perMinute - 1) / 3 + 1"), Math.ceil((2 * (limit - 1)) / 3) + 1);
  assert.equal(fillFacts("20 - $perMinute"), 20 - limit);
  assert.equal(fillFacts("${60000 / perMinute}ms"), `${60_000 / limit}ms`);
  assert.equal(fillFacts("${perMinute} of ${perMinute + 1}"), `${limit} of ${limit + 1}`);
  assert.equal(fillFacts("$first.id of ${other}"), "$first.id of ${other}");
});

test("an invalid expression is refused", () => {
  for (const text of [
    "$perMinute +",
    "$perMinute++",
    "$perMinute\nwhile(1) perMinute",
    "$perMinute + eval(1)",
    "$perMinute - x",
    "${perMinute",
    "${perMinute / 0}",
    "$perMinute.status",
  ])
    assert.equal(fillFacts(text), undefined, text);
});
