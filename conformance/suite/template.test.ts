import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequest } from "../contract/requests.ts";
import type { Json } from "../data/json.ts";
import { SkipVector } from "./skip.ts";
import { fillTemplate } from "./template.ts";

test("a text or a body that cannot be created skips the vector, even if a number comes from a response", () => {
  const fill = (template: Json) => fillTemplate(template, () => 1e300);
  assert.equal(fill({ $repeat: ["ab", 2] }), "abab");
  for (const template of [
    { $repeat: ["a", -1] },
    { $repeat: ["a", "$draft.expiresAt"] },
    { $repeat: ["$draft.expiresAt", 3] },
    { $repeat: ["[", 1e9] },
    { $fill: { start: "a", with: "b", bytes: 0 } },
  ])
    assert.throws(() => fill(template), SkipVector, JSON.stringify(template));
  for (const size of [0.5, 1, 1e9])
    assert.throws(
      () => createRequest("build", { name: "a" }, { "pad-to": size }),
      /^Error: the body cannot have/,
    );
});

test("pieces of a text, and characters that are exchanged, differ from the text", () => {
  const fill = (template: Json) => fillTemplate(template, () => "one.two.three");
  assert.equal(fill({ $pieces: ["$host", ".", 1] }), "two.three");
  assert.equal(fill({ $pieces: ["$host", ".", 0, -1] }), "one.two");
  assert.equal(fill({ $pieces: ["$host", ".", -1] }), "three");
  for (const [text, from] of [
    ["one", 0],
    ["one", 1],
    ["one.", 1],
  ] as const)
    assert.throws(() => fill({ $pieces: [text, ".", from] }), SkipVector, text);
  assert.equal(fill({ $swap: ["a-b_c-", "-_"] }), "a_b-c_");
  assert.equal(fill({ $swap: ["l0O1", "0O1l"] }), "1O0l");
  assert.equal(fill({ $swap: ["abc", "-_"] }), "abc-");
});
