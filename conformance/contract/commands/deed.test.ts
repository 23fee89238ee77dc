import assert from "node:assert/strict";
import { test } from "node:test";
import { type Deed, deedSteps } from "./deed.ts";

test("deeds become the steps that do the same", () => {
  const steps = deedSteps([
    { do: "session", who: "alice", number: 1 },
    { do: "challenge", who: "alice", number: 2 },
    { do: "prove", challenge: 2, honest: false, number: 3 },
    { do: "wait", ms: 125_001 },
    { do: "restart" },
    { do: "build", who: "alice", key: "key-number-1", input: 2, session: 1 },
  ]);
  assert.deepEqual(
    steps.map((step) =>
      step.kind === "operation"
        ? [step.verb, step.fields]
        : step.kind === "advance"
          ? step.advance
          : step.kind,
    ),
    [
      ["session", { for: "alice" }],
      ["challenge", { for: "alice" }],
      ["verify", { challenge: "$challenge2", proof: { signature: "s-plus-l" } }],
      "125.001s",
      "restart",
      ["build", { by: "alice", session: "$session1", key: "key-number-1", name: "Other Coin" }],
    ],
  );
});

test("what refers to a deed that is gone is left out", () => {
  const deeds: readonly Deed[] = [
    { do: "prove", challenge: 2, honest: true, number: 3 },
    { do: "build", who: "alice", key: "key-number-1", input: 1, session: 1 },
  ];
  assert.deepEqual(deedSteps(deeds), []);
});
