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
