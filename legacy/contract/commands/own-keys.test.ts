import assert from "node:assert/strict";
import { test } from "node:test";
import { requestSteps } from "../../engine/search/step-maker.ts";
import { withOwnKeys } from "./own-keys.ts";

function own(key: string, number: number): unknown {
  const [step] = withOwnKeys(requestSteps([["build", { by: "alice", key }]]), number);
  return step?.kind === "operation" ? step.fields["key"] : undefined;
}

test("a key is another one in each sequence, and as long as keys can be where it was", () => {
  assert.deepEqual([own("key-number-1", 7), own("key-number-1", 8)], ["key-number-1-7", "key-number-1-8"]);
  assert.equal(own("k".repeat(64), 12), `${"k".repeat(61)}-12`);
});

test("a key stays at fault, and at its limit", () => {
  for (const key of ["short", "8letters", "k".repeat(65), "a key with spaces"])
    assert.equal(own(key, 3), key);
});
