import assert from "node:assert/strict";
import { test } from "node:test";
import { GREETER, GREETER_SUITE_SCHEMA, GREETER_SUITES } from "../../testing/greeter/greeter-contract.ts";
import { temporaryFile } from "../../testing/temporary-file.ts";
import { loadClientSuiteFiles } from "./load-client-suites.ts";

const VECTOR = `suite: one
vectors:
  - id: a
    title: somebody is greeted
    rules: [GREET-1]
`;

test("cases are vectors of their own, each with its line and what it fills in", () => {
  assert.deepEqual(
    GREETER_SUITES.vectors.map(({ id, place }) => `${id} ${place.line}`),
    [
      "greeter/plain 3",
      "greeter/told-to-wait/once 11",
      "greeter/told-to-wait/for-ever 12",
      "greeter/lost 15",
      "greeter/two 20",
    ],
  );
  assert.equal(GREETER_SUITES.vectors[2]?.scenario["waits"], 1000);
});

for (const [what, rest, fault] of [
  [
    "an unknown rule",
    "    steps: []\n  - {id: b, title: b, rules: [GREET-9], steps: []}\n",
    /:7:\d+: unknown rule "GREET-9"/,
  ],
  [
    "a column that a row lacks",
    "    waits: $case.wait\n    steps: []\n    cases: { x: { waits: 1 } }\n",
    /the case has no "wait" \(did you mean "waits"\?\)/,
  ],
  [
    "a column that nothing reads",
    "    steps: []\n    cases: { x: { waits: 1 } }\n",
    /:7:\d+: nothing reads \$case\.waits/,
  ],
  [
    "an id that stands twice",
    "    steps: []\n  - {id: a, title: a, rules: [GREET-1], steps: []}\n",
    /duplicate id "one\/a", first at .*:3/,
  ],
  [
    "a member that the schema does not have",
    "    step: []\n",
    /unknown key "step" \(did you mean "steps"\?\)/,
  ],
] as const) {
  test(`${what} is a fault with its place`, (context) => {
    const file = temporaryFile(context, "one.yaml", `${VECTOR}${rest}`);
    assert.throws(() => loadClientSuiteFiles([file], GREETER_SUITE_SCHEMA, GREETER), isFault(fault));
  });
}

function isFault(message: RegExp) {
  return (error: Error) => {
    assert.equal(error.name, "DataError");
    assert.match(error.message, message);
    return true;
  };
}
