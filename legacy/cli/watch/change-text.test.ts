import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf, changeText } from "./watch-text.ts";

test("what no longer fails is mended, what fails anew broke, and of nothing known nothing is said", () => {
  const after = { failed: ["a/1", "b/2"] };
  assert.deepEqual(changeOf({ failed: ["a/1", "a/2"] }, after), { mended: ["a/2"], broke: ["b/2"] });
  assert.deepEqual(changeOf(undefined, after), { mended: [], broke: [] });
  assert.equal(changeText(changeOf(after, after), 80), "");
});

test("cases of one vector are named once, and many are counted", () => {
  const cases = ["after-a-minute", "after-an-hour"].map((name) => `platform/same-later/${name}`);
  assert.equal(
    changeText({ mended: [...cases, "draft/zero-signatures", "url/port/one"], broke: ["cost/sum"] }, 110),
    "mended   4: platform/same-later (2), draft/zero-signatures, url/port/one\nbroke    1: cost/sum",
  );
  const many = Array.from({ length: 9 }, (_, index) => `a/${index}`);
  assert.equal(
    changeText({ mended: [], broke: many }, 40),
    "broke    9: a/0, a/1, a/2, a/3, a/4, a/5\n         and 3 more",
  );
});

test("an id that is none does nothing to the terminal", () => {
  const text = changeText({ mended: ["a/\u001b[31mred"], broke: [] }, 80);
  assert.ok(!text.includes("\u001b"), JSON.stringify(text));
});
