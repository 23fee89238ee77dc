import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImplementationInfo } from "../../adapters/adapter.ts";
import { suitesOf } from "../../testing/run-vectors.ts";
import { choose, plan, select } from "./plan.ts";

const IDS = ["build/uri/port", "build/uri/fragment", "build/name", "challenge/lifetime", "challenge/terms"];
const vectors = IDS.map((id) => ({ id })) as unknown as Parameters<typeof select>[0];
const idsOf = (only: readonly string[]) => select(vectors, only).chosen.map(({ id }) => id);

for (const [only, ids] of [
  [[], IDS],
  [["build/uri/port"], ["build/uri/port"]],
  [["build"], ["build/uri/port", "build/uri/fragment", "build/name"]],
  [["build/uri"], ["build/uri/port", "build/uri/fragment"]],
  [["build/*"], ["build/uri/port", "build/uri/fragment", "build/name"]],
  [["*/lifetime"], ["challenge/lifetime"]],
  [
    ["**/port", "challenge/t*"],
    ["build/uri/port", "challenge/terms"],
  ],
  [["{build/name,challenge/*}"], ["build/name", "challenge/lifetime", "challenge/terms"]],
  [["buil"], []],
] as const) {
  test(`--only ${only.join(" ") || "(nothing)"} chooses ${ids.length}`, () =>
    assert.deepEqual(idsOf(only), ids));
}

test("every pattern that matches nothing is named, beside one that does", () => {
  assert.deepEqual(select(vectors, ["build", "buidl", "", "["]).unmatched, [
    "buidl",
    "an empty pattern",
    "[",
  ]);
  assert.throws(() => choose(vectors, [], ["build", "buidl", "zz*"]), {
    name: "DataError",
    message: "--only: buidl, zz* matches no vector and no property; `list` shows their ids",
  });
});

test("an empty set of vectors is a slip, too", () => {
  assert.throws(() => choose([], [], []), {
    name: "DataError",
    message: /^--only: the selection matches no vector/,
  });
});

const SUITE = `suite: needs
vectors:
  - { id: nothing, title: needs nothing at all, rules: [ENDPOINT-1], steps: [{ platform: }] }
  - { id: waits, title: waits for a minute, rules: [ENDPOINT-1], steps: [{ advance: 60s }, { platform: }] }
  - { id: exact, title: meets an instant, rules: [ENDPOINT-1], needs: [virtual-clock], steps: [{ platform: }] }
  - { id: restarts, title: starts anew, rules: [ENDPOINT-1], steps: [{ repeat: { times: 1, steps: [{ restart: true }] } }] }
  - { id: floods, title: fills a store, rules: [ENDPOINT-1], steps: [{ flood: { store: drafts, open: CAPACITY-DRAFTS } }] }
  - { id: raw-text, title: sends exact text, rules: [ENDPOINT-1], steps: [{ build: { by: alice, body: "{" }, expect: 200 }] }
  - { id: raw-bytes, title: sends exact bytes, rules: [ENDPOINT-1], steps: [{ build: { by: alice, bodyBase64: /w== }, expect: 200 }] }
  - { id: spelt, title: spells it otherwise, rules: [ENDPOINT-1], steps: [{ build: { by: alice, spelling: escaped } }] }
  - { id: padded, title: pads it to a size, rules: [ENDPOINT-1], steps: [{ build: { by: alice, pad-to: 5000 } }] }
  - { id: together, title: asks at once, rules: [ENDPOINT-1], steps: [{ together: { steps: [{ platform: }], tally: { 200: 1 } } }] }
  - { id: operator, title: uses the operator key, rules: [ENDPOINT-1], steps: [{ build: { by: alice, mint: $operatorKey } }] }
  - id: operator-in-a-row
    title: uses the operator key in one row
    rules: [ENDPOINT-1]
    cases: { with: { mint: { $lower: $operatorKey } }, without: { mint: $gold } }
    steps: [{ build: { by: alice, mint: $case.mint }, expect: 200 }]
`;

const INFO: ImplementationInfo = {
  implementation: { name: "x", version: "1" },
  capabilities: { clock: "virtual", restart: true, rawBody: true, concurrency: true },
  facts: {
    metadataHosts: ["a.example", "b.example"],
    operatorKey: "1".repeat(32),
    signedBytes: "utf8",
    capacity: {},
  },
};
const { operatorKey: _, ...noOperator } = INFO.facts;
const REAL = { ...INFO.capabilities, clock: "real" as const };

/** What is left out, by what the implementation cannot do. */
for (const [what, info, reason, ids] of [
  ["anything", INFO, undefined, []],
  [
    "set its clock",
    { ...INFO, capabilities: REAL },
    "needs a clock that the kit can set (capability clock: virtual)",
    ["needs/exact"],
  ],
  [
    "restart",
    { ...INFO, capabilities: { ...INFO.capabilities, restart: false } },
    "needs a service of its own that can be restarted (capability restart)",
    ["needs/restarts", "needs/floods"],
  ],
  [
    "take raw bodies",
    { ...INFO, capabilities: { ...INFO.capabilities, rawBody: false } },
    "needs the exact text of the body to reach the service (capability rawBody)",
    ["needs/raw-text", "needs/raw-bytes", "needs/spelt", "needs/padded"],
  ],
  [
    "work concurrently",
    { ...INFO, capabilities: { ...INFO.capabilities, concurrency: false } },
    "needs requests that are in flight together (capability concurrency)",
    ["needs/together"],
  ],
  [
    "name its operator key",
    { ...INFO, facts: noOperator },
    "needs what only the implementation can tell (fact operatorKey)",
    ["needs/operator", "needs/operator-in-a-row/with"],
  ],
] as const) {
  test(`an implementation that cannot ${what === "anything" ? "do nothing" : what} loses just what needs it`, (context) => {
    const skipped = plan(suitesOf(context, SUITE).vectors, info, 60_000).filter(
      ({ skip }) => skip !== undefined,
    );
    assert.deepEqual(
      skipped.map(({ vector }) => vector.id),
      ids,
    );
    for (const { skip } of skipped) assert.equal(skip?.reason, reason);
  });
}

test("on a real clock, a wait that is longer than asked for is left out", (context) => {
  const { vectors } = suitesOf(context, SUITE);
  const skipped = plan(vectors, { ...INFO, capabilities: REAL }, 59_999).filter(
    ({ vector }) => vector.id === "needs/waits",
  );
  assert.deepEqual(
    skipped.map(({ skip }) => skip?.reason),
    ["waits 60 s on a real clock, longer than --max-wait 59.999s"],
  );
});
