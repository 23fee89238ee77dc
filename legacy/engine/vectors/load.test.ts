import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { PATHS } from "../../paths.ts";
import { contract } from "../../testing/contract-data.ts";
import { suitesOf, vectorText } from "../../testing/run-vectors.ts";
import { DataError } from "../data/data-error.ts";
import { loadSuites } from "./load.ts";

/** The load error of a suite text, without the directory of its file. */
function faultOf(context: TestContext, text: string): string {
  let found: string | undefined;
  assert.throws(
    () => suitesOf(context, text),
    (error) => {
      assert.ok(error instanceof DataError, String(error));
      found = error.message.replaceAll(/\/\S*\/(?=suite\.yaml)/g, "");
      return true;
    },
  );
  return found ?? "";
}

const SESSION = "- session: { for: alice }\n  as: first\n";
const USE = "- build: { by: alice, session: $first }";

/** One line for each fault: what is wrong, the suite file, and the whole message. */
const FAULTS: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    "a bracket that is not closed",
    "suite: sample\nvectors:\n  - id: [profile\n",
    "suite.yaml:4:1: deficient indentation",
  ],
  [
    "a tab for indentation",
    "suite: sample\nvectors:\n\t- id: x\n",
    "suite.yaml:3:1: tab characters must not be used in indentation",
  ],
  ["a key given twice", "suite: a\nsuite: b\n", "suite.yaml:2:1: duplicated mapping key"],
  ["an empty file", "", "suite.yaml:1:1: the file must be an object, not null"],
  [
    "an unknown key of the file",
    "suite: sample\nvektors: []\n",
    'suite.yaml:2:1: unknown key "vektors" (did you mean "vectors"?)',
  ],
  [
    "an unknown key of a vector",
    vectorText("- platform:", "ENDPOINT-1", "clok: whole-second"),
    'suite.yaml:6:5: unknown key "clok" (did you mean "clock"?)',
  ],
  [
    "an unknown key of a step",
    vectorText("- platform:\n  expects: 200"),
    'suite.yaml:9:9: unknown key "expects" (did you mean "expect"?)',
  ],
  [
    "an unknown key of a verb",
    vectorText("- build: { by: alice, nmae: Coin }"),
    'suite.yaml:8:29: unknown key "nmae" (did you mean "name"?)',
  ],
  [
    "an unknown key far from all others",
    vectorText("- platform: { zzzzzzzzzzzz: 1 }"),
    'suite.yaml:8:21: unknown key "zzzzzzzzzzzz"',
  ],
  [
    "a value that is none of the allowed ones",
    vectorText("- platform:", "ENDPOINT-1", "clock: noon"),
    'suite.yaml:6:5: "noon" is not one of between-seconds, whole-second, whole-minute, year-end',
  ],
  [
    "an unknown rule",
    vectorText("- platform:", "ENDPIONT-1"),
    'suite.yaml:5:13: unknown rule "ENDPIONT-1" (did you mean "ENDPOINT-1"?)',
  ],
  [
    "an unknown rule of a step",
    vectorText("- platform:\n  rules: [PLATFROM-1]\n  expect: 200"),
    'suite.yaml:9:17: unknown rule "PLATFROM-1" (did you mean "PLATFORM-1"?)',
  ],
  [
    "a rule that nothing can observe",
    vectorText("- platform:", "SERVICE-7"),
    "suite.yaml:5:13: rule SERVICE-7 is not observable: answers look the same whether or not the process opened a connection",
  ],
  [
    "a rule of a step that nothing can observe",
    vectorText("- platform:\n  rules: [SERVICE-6]\n  expect: 200"),
    "suite.yaml:9:17: rule SERVICE-6 is not observable: what a process holds or makes inside leaves no trace in its answers",
  ],
  [
    "an unknown open point",
    vectorText("- platform:\n  expect: URI-QUERRY"),
    'suite.yaml:9:9: unknown open point "URI-QUERRY" (did you mean "URI-QUERY"?)',
  ],
  [
    "an open point that nothing can observe",
    vectorText("- platform:\n  expect: { any: [200, 400 INVALID_FIELDS], open: BEARER-HASH }"),
    "suite.yaml:9:51: open point BEARER-HASH is not observable: the stored hash is never shown",
  ],
  [
    "an open point whose readings are no outcomes, as an expectation",
    vectorText("- platform:\n  expect: BEARER-FORMAT"),
    'suite.yaml:9:9: the readings of BEARER-FORMAT are not all outcomes: write them out under "any"',
  ],
  [
    "an outcome that is no reading of the open point",
    vectorText("- platform:\n  expect: { any: [200, 400 METADATA_URL], open: CHALLENGE-INSTANT }"),
    'suite.yaml:9:30: CHALLENGE-INSTANT has no reading "400 METADATA_URL"',
  ],
  [
    "an unknown reading",
    vectorText(
      "- platform:\n  expect: { any: { valid: 200, expird: 401 UNAUTHORIZED }, open: SESSION-INSTANT }",
    ),
    'suite.yaml:9:38: SESSION-INSTANT has no reading "expird" (did you mean "expired"?)',
  ],
  [
    "an unknown reading of a classification",
    vectorText(
      `${SESSION}- classify: { open: BEARER-PER-SESSION, readings: { distinkt: { first.status: 200 } } }`,
    ),
    'suite.yaml:10:59: BEARER-PER-SESSION has no reading "distinkt" (did you mean "distinct"?)',
  ],
  [
    "lenience that names no open point",
    vectorText("- platform:\n  expect: { any: [200, 404 NO_EXECUTION_ENDPOINT] }"),
    'suite.yaml:9:9: vectors.0.steps.0.expect lacks "open", which goes with "any"',
  ],
  [
    "an outcome that would take any error",
    vectorText('- platform:\n  expect: "400"'),
    'suite.yaml:9:9: "400" accepts any error: name the codes',
  ],
  [
    "an outcome that would take any error, as a number",
    vectorText("- platform:\n  expect: 404"),
    'suite.yaml:9:9: "404" accepts any error: name the codes',
  ],
  [
    "a tally that would take any error",
    vectorText("- together: { steps: [{ platform: }], tally: { 429: 1 } }"),
    'suite.yaml:8:54: "429" accepts any error: name the codes',
  ],
  [
    "an outcome that is none",
    vectorText("- platform:\n  expect: ok"),
    'suite.yaml:9:9: "ok" is no outcome: write a status, and its code where it is an error',
  ],
  [
    "both an outcome and several",
    vectorText("- platform:\n  expect: { is: 200, any: [200, 401 UNAUTHORIZED], open: SESSION-INSTANT }"),
    'suite.yaml:9:9: "is" and "any" exclude each other',
  ],
  [
    "an answer to go on with that is not accepted",
    vectorText(
      "- platform:\n  expect: { is: 400 INVALID_FIELDS | INVALID_CREATOR, ends-unless: 401 UNAUTHORIZED }",
    ),
    'suite.yaml:9:61: "401 UNAUTHORIZED" is none that is accepted here',
  ],
  [
    "an answer to go on with beside which no other is accepted",
    vectorText("- platform:\n  expect: { is: 400 INVALID_FIELDS, ends-unless: 400 INVALID_FIELDS }"),
    'suite.yaml:9:43: "400 INVALID_FIELDS" is all that is accepted here',
  ],
  [
    "an expectation in a row that is none",
    vectorText("- platform:\n  expect: $case.then", "ENDPOINT-1", "cases: { one: { then: [200] } }"),
    "suite.yaml:6:21: [200] is no expectation",
  ],
  [
    "an unknown key of an expectation in a row",
    vectorText(
      "- platform:\n  expect: $case.then",
      "ENDPOINT-1",
      "cases: { one: { then: { is: 200, bdoy: {} } } }",
    ),
    'suite.yaml:6:38: unknown key "bdoy" (did you mean "body"?)',
  ],
  [
    "lenience in a row that names no open point",
    vectorText(
      "- platform:\n  expect: $case.then",
      "ENDPOINT-1",
      "cases: { one: { then: { any: [200, 401 UNAUTHORIZED] } } }",
    ),
    'suite.yaml:6:21: "any" names the open point on which it leans under "open", and "open" needs "any"',
  ],
  [
    "an outcome in a row that is none",
    vectorText("- platform:\n  expect: { is: $case.then }", "ENDPOINT-1", "cases: { one: { then: 500 } }"),
    'suite.yaml:6:21: "500" accepts any error: name the codes',
  ],
  [
    "an advance that is no duration",
    vectorText("- advance: 60 s"),
    'suite.yaml:8:9: "60 s" is no duration: write 59.999s, 30s, 1h or 1ms',
  ],
  [
    "an advance that is no duration, in a row",
    vectorText("- advance: { just-before: $case.wait }", "ENDPOINT-1", "cases: { one: { wait: 1d } }"),
    'suite.yaml:8:9: "1d" is no duration: write 59.999s, 30s, 1h or 1ms',
  ],
  [
    "an advance to two moments",
    vectorText("- advance: { just-before: 30s, just-after: 30s }"),
    "suite.yaml:8:9: an advance holds one duration; this one has 2",
  ],
  [
    "an advance to no moment",
    vectorText(`${SESSION}- advance: { since: $first }`),
    "suite.yaml:10:9: an advance holds one duration; this one has 0",
  ],
  [
    "an unknown spelling",
    vectorText("- build: { by: alice, spelling: reversed-key }"),
    'suite.yaml:8:29: "reversed-key" is no spelling (did you mean "reversed-keys"?)',
  ],
  [
    "an expectation that its group would not look at",
    vectorText("- together: { steps: [{ platform: , expect: 200 }], tally: { 200: 1 } }"),
    "suite.yaml:8:43: a step of together takes no expect: the tally says it",
  ],
  [
    "a wait among requests that are in flight together",
    vectorText("- together: { steps: [{ advance: 1s }], tally: { 200: 1 } }"),
    "suite.yaml:8:29: a step of together is one request",
  ],
  [
    "a clock in a row that is none",
    vectorText("- platform:", "ENDPOINT-1", "cases: { one: { clock: noon } }"),
    'suite.yaml:6:21: "noon" is not one of between-seconds, whole-second, whole-minute, year-end',
  ],
  [
    "rules in a row that are no list",
    vectorText("- platform:", "ENDPOINT-1", "cases: { one: { rules: ENDPOINT-1 } }"),
    'suite.yaml:6:21: vectors.0.cases.one.rules must be a list, not "ENDPOINT-1"',
  ],
  [
    "an id given twice, each time with rows",
    `${vectorText("- platform:", "ENDPOINT-1", "cases: { one: {} }")}  - id: vector\n    title: the service does it again\n    rules: [ENDPOINT-1]\n    cases: { two: {} }\n    steps: [{ platform: }]\n`,
    'suite.yaml:9:5: duplicate id "sample/vector", first at suite.yaml:3',
  ],
  [
    "an id given twice",
    `${vectorText("- platform:")}  - id: vector\n    title: the service does it again\n    rules: [ENDPOINT-1]\n    steps: [{ platform: }]\n`,
    'suite.yaml:9:5: duplicate id "sample/vector", first at suite.yaml:3',
  ],
  [
    "an unknown capture",
    vectorText(`${SESSION}- build: { by: alice, session: $frist }`),
    'suite.yaml:10:29: unknown name "$frist" (did you mean "$first"?)',
  ],
  [
    "an unknown capture inside a text",
    vectorText(`${SESSION}- request: { method: GET, path: "/\${frist.id}" }`),
    'suite.yaml:10:33: unknown name "$frist" (did you mean "$first"?)',
  ],
  [
    "a capture that is used before it is made",
    vectorText(`${USE}\n${SESSION}`),
    'suite.yaml:8:29: unknown name "$first"',
  ],
  ["a capture that nothing uses", vectorText(SESSION), 'suite.yaml:9:9: nothing uses the name "first"'],
  [
    "a capture whose name is taken",
    vectorText(`${SESSION}${SESSION}${USE}`),
    'suite.yaml:11:9: the name "first" is taken by an earlier step',
  ],
  [
    "a capture with a name of the kit's own",
    vectorText("- platform:\n  as: alice"),
    'suite.yaml:9:9: the name "alice" is the kit\'s own',
  ],
  [
    "an unknown actor",
    vectorText("- session: { for: alcie }"),
    'suite.yaml:8:20: unknown actor "alcie" (did you mean "alice"?); the cast is alice, bob, carol, dave, erin, mallory, gold, silver, copper, tin, zinc, mixed-order, small-order, y-not-reduced, sign-of-zero, leading-zero',
  ],
  [
    "an unknown signer of a proof",
    vectorText(
      "- challenge: { for: alice }\n  as: first\n- verify: { challenge: $first, proof: { by: malory } }\n  expect: 200",
    ),
    'suite.yaml:10:47: unknown actor "malory" (did you mean "mallory"?); the cast is alice, bob, carol, dave, erin, mallory, gold, silver, copper, tin, zinc, mixed-order, small-order, y-not-reduced, sign-of-zero, leading-zero',
  ],
  [
    "an unknown function",
    vectorText("- build: { by: alice, name: { $repaet: [a, 3] } }"),
    'suite.yaml:8:29: unknown function "$repaet" (did you mean "$repeat"?)',
  ],
  [
    "a column that a row lacks",
    vectorText(
      "- build: { by: alice, name: $case.nam }\n  expect: 200",
      "ENDPOINT-4",
      "cases: { one: { name: Coin } }",
    ),
    'suite.yaml:8:29: no column "nam" in this row (did you mean "name"?)',
  ],
  [
    "a column that no step reads",
    vectorText("- platform:", "ENDPOINT-1", "cases: { one: { nmae: Coin } }"),
    "suite.yaml:6:21: no step reads $case.nmae",
  ],
  [
    "an unknown rule in the column of rules",
    vectorText("- platform:", "ENDPOINT-1", "cases: { one: { rules: [ENDPOINT-99] } }"),
    'suite.yaml:6:29: unknown rule "ENDPOINT-99" (did you mean "ENDPOINT-9"?)',
  ],
  [
    "two verbs in a step",
    vectorText("- platform:\n  challenge: { for: alice }"),
    "suite.yaml:8:9: a step has exactly one verb; this one has platform and challenge",
  ],
  [
    "a step without a verb",
    vectorText("- expect: 200"),
    "suite.yaml:8:9: a step has exactly one verb; this one has none",
  ],
  [
    "an expectation of a step that has no answer",
    vectorText("- restart: true\n  expect: 200"),
    'suite.yaml:9:9: "restart" takes no expect',
  ],
  [
    "a title with should",
    vectorText("- platform:").replace("does as it must", "should do it"),
    'suite.yaml:4:5: a title states what the service does: leave out "should" and "test that"',
  ],
  [
    "a title that is too long",
    vectorText("- platform:").replace("does as it must", "does ".repeat(25)),
    "suite.yaml:4:5: vectors.0.title must be a text of at most 110 characters, not a text of 136 characters",
  ],
  [
    "a hexadecimal id that YAML takes for a number",
    vectorText("- platform:").replace("id: vector", "id: 123456"),
    "suite.yaml:3:5: vectors.0.id must be a text, not 123456",
  ],
];

for (const [what, text, message] of FAULTS) {
  test(`a suite with ${what} is refused in one line`, (context) => {
    assert.equal(faultOf(context, text), message);
    assert.doesNotMatch(message, /\n/);
  });
}

test("a folder that is not there is refused in one line", () => {
  assert.throws(() => loadSuites("/no/such/folder", PATHS.suiteSchema, contract), {
    name: "DataError",
    message: "/no/such/folder: cannot be read (ENOENT)",
  });
});

test("the digest of a suite changes with its text, and only with it", (context) => {
  const text = vectorText("- platform:");
  const digest = (of: string) => suitesOf(context, of).digest;
  assert.equal(digest(text), digest(text));
  assert.notEqual(digest(text), digest(`${text}# more\n`));
});

test("a row of cases is a vector of its own, with its own line, rules and clock", (context) => {
  const { vectors } = suitesOf(
    context,
    `suite: sample
vectors:
  - id: names
    title: a name of that length is taken
    rules: [ENDPOINT-4]
    cases:
      short: { name: A }
      long: { name: { $repeat: [A, 32] }, rules: [LAUNCH-17], clock: whole-minute }
    steps:
      - build: { by: alice, name: $case.name }
        expect: 200
`,
  );
  assert.deepEqual(
    vectors.map(({ id, rules, clock, place }) => [id, rules, clock, place.line]),
    [
      ["sample/names/short", ["ENDPOINT-4"], "between-seconds", 7],
      ["sample/names/long", ["LAUNCH-17"], "whole-minute", 8],
    ],
  );
});
