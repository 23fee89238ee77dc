import assert from "node:assert/strict";
import { test } from "node:test";
import { lineage, orphaned } from "./lineage.ts";

test("a process descends from its parent and, where the system tells, from that one's parent", () => {
  const [parent, grandparent] = lineage(process.pid);
  assert.equal(parent, process.pid);
  if (process.platform === "linux") assert.equal(grandparent, process.ppid);
  assert.deepEqual(lineage(2 ** 30), [2 ** 30]);
});

for (const [who, after] of [
  ["the parent", [1]],
  ["the parent's parent", [30, 1]],
] as const) {
  test(`it is noticed that ${who} is gone`, async () => {
    let pauses = 0;
    const descent = () => (pauses < 3 ? [30, 20] : after);
    await orphaned(descent, async () => {
      pauses += 1;
    });
    assert.equal(pauses, 3);
  });
}
