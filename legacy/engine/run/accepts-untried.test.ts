import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptsUntried, lackedBy, type Naming } from "./accepts-untried.ts";

const RESTART = "capability:restart";
const CLOCK = "capability:clock";
const skipped = (...lacks: readonly string[]): Naming => ({ outcome: "skipped", lacks });
const accepts = (accepted: readonly string[], ...naming: readonly Naming[]) =>
  acceptsUntried(new Set(accepted), "LIMIT-1", naming);

test("a rule is accepted by its id, whatever kept it from being tried", () => {
  assert.ok(accepts(["LIMIT-1"], { outcome: "error" }));
  assert.ok(accepts(["LIMIT-1"]));
  assert.ok(!accepts(["LIMIT-2"], skipped(RESTART)));
});

test("a rule is accepted by the names of all that it was left out for", () => {
  assert.ok(accepts([RESTART], skipped(RESTART), skipped(RESTART)));
  assert.ok(accepts([RESTART, CLOCK], skipped(RESTART, CLOCK)));
  assert.ok(accepts([CLOCK], skipped(RESTART, CLOCK), skipped(CLOCK)), "with a clock it would be tried");
  assert.ok(!accepts([RESTART], skipped(RESTART, CLOCK)));
  assert.ok(!accepts([RESTART], skipped(RESTART, CLOCK), skipped(CLOCK)));
  assert.ok(!accepts([RESTART], skipped(RESTART), skipped(CLOCK)));
});

test("what was left out for another reason besides is not accepted with a capability", () => {
  for (const other of [
    { outcome: "skipped" },
    { outcome: "error" },
    { outcome: "failed" },
    skipped("fact:operatorKey"),
  ] as const) {
    assert.ok(!accepts([RESTART], skipped(RESTART), other));
  }
  assert.ok(!accepts([RESTART]), "nothing names the rule");
  assert.equal(lackedBy([]), undefined);
});
