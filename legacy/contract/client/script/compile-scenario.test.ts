import assert from "node:assert/strict";
import { test } from "node:test";
import { DataError } from "../../../engine/data/data-error.ts";
import { parseYaml } from "../../../engine/data/yaml-source.ts";
import { compileScenario } from "./compile-scenario.ts";

/** Compiles the only vector of a suite. */
function compiled(text: string) {
  const source = parseYaml(text, "mine.yaml");
  const { vectors } = source.value as { readonly vectors: readonly Readonly<Record<string, unknown>>[] };
  return compileScenario(vectors[0] ?? {}, source, ["vectors", 0]);
}

/** A suite whose service has one entry. */
const service = (entry: string) =>
  `vectors:\n  - rules: [CLIENT-FLOW-3]\n    service:\n      - ${entry}\n    steps:\n      - launch: {}\n`;
/** A suite with these steps. */
const steps = (...lines: readonly string[]) =>
  `vectors:\n  - rules: [CLIENT-FLOW-3]\n    steps:\n${lines.map((line) => `      - ${line}\n`).join("")}`;

test("a script says which requests it is about, and what it does, in words", () => {
  const { disturbances } = compiled(service("{ on: build, nth: 2..3, for: bob, lose: answer, pass: 31s }"));
  assert.deepEqual(disturbances, [
    {
      line: 4,
      on: "build",
      from: 2,
      to: 3,
      by: "bob",
      optional: false,
      words: "its answer is lost, 31s pass before its answer",
      does: { lose: "answer", passMs: 31_000 },
    },
  ]);
});

test("requests are counted from any on, one alone, or all", () => {
  const count = (nth: string) => {
    const [only] = compiled(service(`{ on: verify, nth: ${nth}, status: 500 }`)).disturbances;
    return [only?.from, only?.to];
  };
  assert.deepEqual(
    [count("1"), count("2.."), count("each")],
    [
      [1, 1],
      [2, undefined],
      [1, undefined],
    ],
  );
});

test("a launch given again is the same launch, and one of alice unless told", () => {
  const { steps: made, rule } = compiled(
    steps(
      "{ launch: { by: bob }, as: first }",
      "{ advance: 31s }",
      "{ launch: { again: $first }, expect: draft | refused }",
      "launch: {}",
    ),
  );
  assert.equal(rule, "CLIENT-FLOW-3");
  const launches = made.flatMap((step) => (step.kind === "launches" ? step.launches : []));
  assert.deepEqual(
    launches.map(({ by, number, again, expect }) => ({ by, number, again, expect })),
    [
      { by: "bob", number: 0, again: 0, expect: ["draft"] },
      { by: "bob", number: 0, again: 1, expect: ["draft", "refused"] },
      { by: "alice", number: 1, again: 0, expect: ["draft"] },
    ],
  );
});

const FAULTS: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
  "an unknown operation": [
    service("{ on: bild, status: 500 }"),
    /^mine.yaml:4:11: unknown operation "bild" \(did you mean "build"\?\)$/,
  ],
  "an unknown key": [
    service("{ on: build, loose: answer }"),
    /^mine.yaml:4:22: unknown key "loose" \(did you mean "lose"\?\)$/,
  ],
  "an unknown person": [
    service("{ on: build, for: malory, status: 500 }"),
    /:4:22: unknown person "malory" \(did you mean "mallory"\?\)$/,
  ],
  "an unknown layout": [
    service("{ on: challenge, message: jsn }"),
    /:4:26: unknown message "jsn" \(did you mean "json"\?\)$/,
  ],
  "a form that its answers do not have": [
    service("{ on: build, bearer: hex }"),
    /:4:22: answers of build have no bearer$/,
  ],
  "an unknown code": [
    service("{ on: build, refuse: 429 OFFLINE_CAPACTY }"),
    /unknown code of 429 "OFFLINE_CAPACTY" \(did you mean "OFFLINE_CAPACITY"\?\)$/,
  ],
  "a status that the operation never has": [
    service("{ on: platform, refuse: 429 OFFLINE_CAPACITY }"),
    /platform is never answered 429, only 200$/,
  ],
  "a code of another status": [
    service("{ on: build, refuse: 409 UNAUTHORIZED }"),
    /unknown code of 409 "UNAUTHORIZED"$/,
  ],
  "a refusal without a code": [service("{ on: build, refuse: 429 }"), /accepts any error: name the codes$/],
  "a refusal of anything": [
    service("{ on: every, refuse: 429 OFFLINE_CAPACITY }"),
    /name the operation that is refused$/,
  ],
  "a count that counts nothing": [
    service("{ on: build, nth: 3..2, status: 500 }"),
    /"3..2" counts nothing: write 1, 2.., 1..3 or each$/,
  ],
  "no duration": [service("{ on: build, delay: soon }"), /"soon" is no duration: write 30s, 500ms or 1h$/],
  "an entry that does nothing": [
    service("{ on: build, nth: 1 }"),
    /^mine.yaml:4:9: this entry changes nothing/,
  ],
  "an effect without a status": [
    service("{ on: build, lose: answer, effect: true }"),
    /effect goes with status$/,
  ],
  "a changed member that the answer does not have": [
    service("{ on: build, set: { feeWalet: x } }"),
    /unknown member of an answer of build "feeWalet" \(did you mean "feeWallet"\?\)$/,
  ],
  "an unknown name in a changed member": [
    service("{ on: build, set: { feeWallet: $malory } }"),
    /unknown name "malory" \(did you mean "mallory"\?\)$/,
  ],
  "an unknown name in a text": [
    steps("launch: { token: { uri: $hostC } }"),
    /^mine.yaml:4:28: unknown name "hostC" \(did you mean "hostA"\?\)$/,
  ],
  "an unknown text of a token": [
    steps("launch: { token: { nmae: x } }"),
    /unknown text of a token "nmae" \(did you mean "name"\?\)$/,
  ],
  "a launch that was not given": [
    steps("{ launch: {}, as: first }", "launch: { again: $frist }"),
    /^mine.yaml:5:19: "\$frist" names no launch before this one \(did you mean "\$first"\?\)$/,
  ],
  "a name that nothing uses": [steps("{ launch: {}, as: first }"), /nothing uses \$first$/],
  "a name given twice": [
    steps("{ launch: {}, as: a }", "{ launch: {}, as: a }"),
    /\$a names an earlier launch already$/,
  ],
  "an unknown end": [
    steps("{ launch: {}, expect: drafted }"),
    /unknown end of a launch "drafted" \(did you mean "draft"\?\)$/,
  ],
  "a step of two kinds": [
    steps("{ launch: {}, restart: true }"),
    /a step is one of launch, together, advance and restart$/,
  ],
  "a step of no kind": [
    steps("{ expect: draft }"),
    /a step is one of launch, together, advance and restart$/,
  ],
};

for (const [fault, [text, message]] of Object.entries(FAULTS)) {
  test(`${fault} is told with its place`, () => {
    assert.throws(
      () => compiled(text),
      (error) => error instanceof DataError && message.test(error.message),
    );
  });
}
