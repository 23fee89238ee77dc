import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, CROWDS, type Edge, SPANS } from "./command.ts";
import { simplerCommand } from "./simpler-command.ts";

/** How many forms a command can be made simpler by, one after the other, at most. @throws where that has no end */
function depth(command: Command, before: readonly string[] = []): number {
  const name = JSON.stringify(command);
  assert.ok(!before.includes(name), `${name} is simpler than itself`);
  return Math.max(0, ...simplerCommand(command).map((simpler) => 1 + depth(simpler, [...before, name])));
}

const EDGES: readonly Edge[] = ["just-before", "at", "just-after"];

test("to make a command simpler comes to an end", () => {
  for (const span of SPANS.keys())
    for (const edge of EDGES) depth({ do: "wait", span, edge, since: "build" });
  for (const of of CROWDS) assert.equal(depth({ do: "crowd", of }), 1);
  depth({ do: "build", who: "bob", key: 4, input: 4, spelling: 3, session: 2 });
  depth({ do: "verify", back: 2, proof: 9 });
});

test("a wait is made shorter, until just after a span that the contract knows", () => {
  const spans = (span: (typeof SPANS)[number]) =>
    simplerCommand({
      do: "wait",
      span: SPANS.indexOf(span),
      edge: "at",
      since: "now",
    }).map((simpler) => (simpler.do === "wait" ? [simpler.edge, SPANS[simpler.span]] : []));
  assert.deepEqual(spans("10m"), [
    ["just-after", "30s"],
    ["just-after", "60s"],
  ]);
  assert.deepEqual(spans("60s"), [["just-after", "30s"]]);
  assert.deepEqual(spans("30s"), []);
});
