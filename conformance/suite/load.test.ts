import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readServiceContract } from "../contract/contract.ts";
import { DataError } from "../data/data-file.ts";
import { loadSuiteFiles, suiteFiles } from "./load.ts";

const contract = readServiceContract();
const folder = mkdtempSync(join(tmpdir(), "suite-test-"));
after(() => rmSync(folder, { recursive: true }));

/** Loads suites from their contents, given by file name. */
function load(files: Readonly<Record<string, string | Uint8Array>>) {
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
  return loadSuiteFiles(paths, contract);
}

/** Returns the faults of suites, without the folder of their files. */
function faultsOf(files: Readonly<Record<string, string | Uint8Array>>): readonly string[] {
  try {
    load(files);
    return [];
  } catch (error) {
    assert.ok(error instanceof DataError, String(error));
    return error.message.replaceAll(`${folder}/`, "").split("\n");
  }
}

/** Members of a vector after its id and title. Each `^` is the place of an expected fault. */
const FAULTY_VECTORS: readonly (readonly [members: string, ...faults: string[]])[] = [
  // Faults that the schema finds.
  ["rules: [ENDPOINT-1], ^clok: x, steps: [{ platform: }]", 'unknown key "clok"; did you mean "clock"?'],
  ["rules: [ENDPOINT-1], ^steps: []", "@.steps must not have fewer than 1 items, got an empty list"],
  [
    "rules: [ENDPOINT-1], ^clock: noon, steps: [{ platform: }]",
    '@.clock must be one of between-seconds, whole-second, whole-minute, year-end, got "noon"',
  ],
  [
    "rules: [ENDPOINT-1], cases: { one: { ^rules: ENDPOINT-1, ^clock: 5 } }, steps: [{ platform: }]",
    '@.cases.one.rules must be a list, got "ENDPOINT-1"',
    "@.cases.one.clock must be one of between-seconds, whole-second, whole-minute, year-end, got 5",
  ],
  stepsWith("{ platform: , ^expects: 200 }", 'unknown key "expects"; did you mean "expect"?'),
  stepsWith("{ build: { by: alice, ^nmae: Coin } }", 'unknown key "nmae"; did you mean "name"?'),
  stepsWith(
    "{ request: { ^zzzzzz: 1, method: GET, path: / } }",
    'unknown key "zzzzzz"; use one of authorization, chunked, status-only, passed-as, method, path, body, bodyBase64, json, bearer, session, key',
  ),
  stepsWith("{ ^as: 123456, platform: }", "@.steps[0].as must be a string, got 123456; put it in quotes"),
  stepsWith("{ ^challenge: {} }", '@.steps[0].challenge has no "for"; add it'),
  stepsWith(
    "{ platform: , ^expect: { any: [200, 200] } }",
    '@.steps[0].expect has "any" but no "open"; add it',
  ),
  // Rules and open points.
  ["rules: [^ENDPIONT-1], steps: [{ platform: }]", 'unknown rule "ENDPIONT-1"; did you mean "ENDPOINT-1"?'],
  [
    "rules: [ENDPOINT-1], cases: { one: { rules: [^ENDPOINT-99] } }, steps: [{ platform: }]",
    'unknown rule "ENDPOINT-99"; did you mean "ENDPOINT-9"?',
  ],
  [
    "rules: [^SERVICE-7], steps: [{ platform: }]",
    "tests cannot observe SERVICE-7: responses are the same whether or not the process opened a connection",
  ],
  stepsWith("{ platform: , rules: [^WALRUS-1], expect: 200 }", 'unknown rule "WALRUS-1"'),
  stepsWith(
    "{ platform: , ^expect: URI-QUERRY }",
    'unknown open point "URI-QUERRY"; did you mean "URI-QUERY"?',
  ),
  stepsWith(
    "{ fill-store: { store: drafts, ^open: CAPACITY-DRAFT } }",
    'unknown open point "CAPACITY-DRAFT"; did you mean "CAPACITY-DRAFTS"?',
  ),
  stepsWith(
    "{ platform: , expect: { any: [200, 400 INVALID_FIELDS], ^open: BEARER-HASH } }",
    "tests cannot observe BEARER-HASH: the service never returns the stored hash",
  ),
  stepsWith(
    "{ platform: , ^expect: BEARER-FORMAT }",
    'not all readings of BEARER-FORMAT have an outcome; list the accepted outcomes under "any"',
  ),
  stepsWith(
    "{ platform: , expect: { any: [200, ^400 METADATA_URL], open: CHALLENGE-INSTANT } }",
    'no reading of CHALLENGE-INSTANT has the outcome "400 METADATA_URL"',
  ),
  stepsWith(
    "{ platform: , expect: { any: { valid: 200, ^expird: 401 UNAUTHORIZED }, open: SESSION-INSTANT } }",
    'unknown reading "expird" of SESSION-INSTANT; did you mean "expired"?',
  ),
  stepsWith(
    "{ classify: { open: BEARER-PER-SESSION, readings: { ^distinkt: { alice: 1 } } } }",
    'unknown reading "distinkt" of BEARER-PER-SESSION; did you mean "distinct"?',
  ),
  // Outcomes.
  stepsWith("{ platform: , ^expect: 404 }", '"404" accepts any error; name the codes'),
  stepsWith(
    "{ together: { steps: [{ platform: }], tally: { ^429: 1 } } }",
    '"429" accepts any error; name the codes',
  ),
  stepsWith(
    "{ platform: , ^expect: ok }",
    '"ok" is not an outcome; write a status, and the codes of an error: 400 A | B',
  ),
  stepsWith(
    "{ platform: , ^expect: 401 UNAUTHORISED }",
    'unknown code "UNAUTHORISED" for status 401; did you mean "UNAUTHORIZED"?',
  ),
  stepsWith(
    "{ platform: , ^expect: { is: 200, any: [200, 401 UNAUTHORIZED], open: SESSION-INSTANT } }",
    '"is" and "any" exclude each other; remove one',
  ),
  caseWith(
    "^then: [200]",
    "@.cases.one.then must be an integer or a string or a map, got a list of length 1",
  ),
  caseWith("then: { is: 200, ^bdoy: {} }", 'unknown key "bdoy"; did you mean "body"?'),
  caseWith("^then: { any: [200, 200] }", '@.cases.one.then has "any" but no "open"; add it'),
  caseWith("^then: 500", '"500" accepts any error; name the codes'),
  // Names.
  stepsWith("{ session: { ^for: alcie } }", 'unknown actor "alcie"; did you mean "alice"?'),
  stepsWith(
    "{ add-entries: { store: drafts, times: 2, ^by: bobb } }",
    'unknown actor "bobb"; did you mean "bob"?',
  ),
  stepsWith(
    "{ challenge: { for: alice }, as: first }, { verify: { challenge: $first, proof: { ^by: malory } } }",
    'unknown actor "malory"; did you mean "mallory"?',
  ),
  stepsWith(
    "{ session: { for: bob }, ^as: first }, { build: { by: bob, ^session: $frist } }",
    'no later step uses "$first"; remove the name',
    'unknown name "$frist"; did you mean "$first"?',
  ),
  stepsWith(
    "{ challenge: { for: alice }, as: first }, { verify: { challenge: $first, ^id: $first.idd } }",
    'unknown value "$first.idd"; did you mean "$first.id"?',
  ),
  stepsWith(`{ request: { method: GET, ^path: "/\${walrus.id}" } }`, 'unknown name "$walrus"'),
  stepsWith(
    "{ build: { by: bob, ^session: $xxxx } }, { session: { for: bob }, as: xxxx }, { advance: { since: $xxxx, at: 1s } }",
    'unknown name "$xxxx"',
  ),
  stepsWith("{ platform: , ^as: alice }", 'the name "alice" is taken; choose another'),
  stepsWith(
    "{ build: { by: alice, ^name: { $repaet: [a, 3] } } }",
    'unknown function "$repaet"; did you mean "$repeat"?',
  ),
  stepsWith(
    "{ build: { by: alice, ^name: { $repeat: a } } }",
    'the argument of $repeat must be [text, times], got "a"',
  ),
  stepsWith(
    "{ build: { by: alice }, expect: { is: 200, body: { ^cots.basis: x } } }",
    'unknown value "cots" of the response; did you mean "cost"?',
  ),
  [
    "rules: [ENDPOINT-1], cases: { one: { who: bob } }, steps: [{ build: { ^by: $case.who } }]",
    '"by" must be the name of an actor; a case cannot choose it',
  ],
  caseWith("then: 200, ^nmae: Coin", "no step uses $case.nmae; remove the column"),
  [
    "rules: [ENDPOINT-1], cases: { one: { ^name: Coin } }, steps: [{ build: { by: alice, ^name: $case.nam } }]",
    "no step uses $case.name; remove the column",
    'unknown column "nam"; did you mean "name"?',
  ],
  // Steps.
  [
    "rules: [ENDPOINT-1], cases: { one: { event: [{ advance: 1s }, { platform: , ^expect: 500 }] } }, " +
      "steps: [{ ^play: $case.evnt }, { play: $case.event }]",
    '"500" accepts any error; name the codes',
    'unknown column "evnt"; did you mean "event"?',
  ],
  [
    "rules: [ENDPOINT-1], cases: { one: { event: [{ platform: }] } }, steps: [{ ^play: $case.event, as: all }]",
    "a step with `play` must have no other member",
  ],
  stepsWith(
    "^{ platform: , challenge: { for: bob } }",
    "a step must have exactly one verb, got platform and challenge",
  ),
  stepsWith("^{ expect: 200 }", "a step must have exactly one verb, got none"),
  stepsWith("{ restart: true, ^expect: 200 }", '"restart" cannot have an expect; remove it'),
  stepsWith("{ ^advance: 60 s }", '"60 s" is not a duration; write 59.999s, 30s, 1h, or 1ms'),
  stepsWith(
    "{ platform: , as: xxxx }, { ^advance: { just-before: 30s, just-after: 30s, since: $xxxx } }",
    "advance must have exactly one duration, got 2",
  ),
  stepsWith(
    "{ platform: , as: xxxx }, { ^advance: { since: $xxxx } }",
    "advance must have exactly one duration, got 0",
  ),
  stepsWith("{ ^advance: { just-after: 30s } }", '@.steps[0].advance has no "since"; add it'),
  stepsWith(
    "{ build: { by: alice, ^spelling: reversed-key } }",
    'unknown spelling "reversed-key"; did you mean "reversed-keys"?',
  ),
  stepsWith(
    '{ build: { by: alice, body: "{}", ^pad-to: 100 } }',
    '"body" gives the whole body; remove "pad-to"',
  ),
  stepsWith(
    "{ build: { by: alice, omit: [mint], ^replace: ['\"mint\"', x] } }",
    'the body of a build request does not contain the text "\\"mint\\""',
  ),
  stepsWith(
    "{ together: { steps: [{ platform: , ^expect: 200 }, { ^advance: 1s }], tally: { 200: 1 } } }",
    'the key "expect" must be one of as, rules, platform, challenge, verify, build, request, got "expect"',
    'the key "advance" must be one of as, rules, platform, challenge, verify, build, request, got "advance"',
  ),
  stepsWith(
    "{ compare: { value: 1, ^contains: 1 } }",
    'unknown key "contains"; use one of value, equals, differs-from',
  ),
];

function stepsWith(steps: string, ...faults: string[]): readonly [string, ...string[]] {
  return [`rules: [ENDPOINT-1], steps: [${steps}]`, ...faults];
}

function caseWith(values: string, ...faults: string[]): readonly [string, ...string[]] {
  const steps = "[{ platform: , expect: $case.then }]";
  return [`rules: [ENDPOINT-1], cases: { one: { ${values} } }, steps: ${steps}`, ...faults];
}

test("all faults of a suite are reported at once, each with its place", () => {
  const lines = FAULTY_VECTORS.map(
    ([members], index) => `  - { id: v${index}, title: the service does it, ${members} }`,
  );
  const expected = FAULTY_VECTORS.flatMap(([, ...faults], index) => {
    const places = [...(lines[index] ?? "").matchAll(/\^/g)].map(
      (match, earlier) => match.index - earlier + 1,
    );
    assert.equal(places.length, faults.length, lines[index]);
    return faults.map(
      (fault, number) =>
        `suite.yaml:${index + 3}:${places[number]}: ${fault.replace("@", `vectors[${index}]`)}`,
    );
  });
  const text = `suite: sample\nvectors:\n${lines.join("\n").replaceAll("^", "")}\n`;
  assert.deepEqual(faultsOf({ "suite.yaml": text }), expected);
});

test("faults of several files are reported at once", () => {
  const vector = "  - { id: v, title: the service does it, rules: [WALRUS-1], steps: [{ platform: }] }\n";
  const should = "  - { id: v, title: it should do it, rules: [SERVICE-1], steps: [{ platform: }] }\n";
  assert.deepEqual(
    faultsOf({
      "one.yaml": `suite: sample\nvectors:\n${vector}`,
      "two.yaml": "suite: 1\nvektors: []\n",
      "three.yaml": `suite: sample\nvectors:\n${should}`,
    }),
    [
      'one.yaml:3:50: unknown rule "WALRUS-1"',
      'two.yaml:1:1: the file has no "vectors"; add it',
      "two.yaml:1:1: suite must be a string, got 1; put it in quotes",
      'two.yaml:2:1: unknown key "vektors"; did you mean "vectors"?',
      'three.yaml:3:7: duplicate ID "sample/v"; it is first used at one.yaml:3',
      'three.yaml:3:14: the title must not contain "should" or "test that"',
    ],
  );
});

for (const [what, content, line] of [
  ["a byte order mark", "\uFEFFsuite: a", "1:1: the file starts with a byte order mark; remove it"],
  [
    "UTF-16 and its mark",
    Buffer.from("\uFEFFsuite: a", "utf16le"),
    "1:1: the file is in UTF-16; save it in UTF-8",
  ],
  [
    "UTF-16 without a mark",
    Buffer.from("suite: a", "utf16le"),
    "1:1: the file is in UTF-16; save it in UTF-8",
  ],
  ["a NUL character", "suite: a\n# \0", "2:3: the file contains a NUL character; remove it"],
  [
    "Latin-1",
    Buffer.from("# é", "latin1"),
    "1:3: the file contains bytes that are not UTF-8; save the file in UTF-8",
  ],
  ["two documents", "a: 1\n---\nb: 2\n", "2:1: the file contains more than one YAML document; keep one"],
  [
    "hexadecimal text that YAML reads as a number",
    "a: 12e45678\n",
    "1:4: 12e45678 is read as the number Infinity; put it in quotes",
  ],
  ["a leading zero", "a: 0123\n", "1:4: 0123 is read as the number 123; put it in quotes"],
  ["a key given twice", "suite: a\nsuite: b\n", "2:1: duplicated mapping key"],
  [
    "a bracket that is not closed",
    "a:\n  - [b\n",
    "3:1: flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  ["a tab for indentation", "a:\n\t- b\n", "2:1: tabs are not allowed as indentation"],
  ["nothing in it", "", "1:1: the file is empty"],
  [
    "aliases of aliases",
    `a: &a [x]\nb: &b [${"*a, ".repeat(20)}]\nc: [${"*b, ".repeat(20)}]`,
    "1:1: excessive alias count indicates a resource exhaustion attack",
  ],
  ["an alias without an anchor", "a: *b\n", "1:4: no earlier value has the anchor &b"],
] as const) {
  test(`a file with ${what} is reported in one line`, () => {
    assert.deepEqual(faultsOf({ "suite.yaml": content }), [`suite.yaml:${line}`]);
  });
}

test("a path that is not a regular file is reported in one line", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const line = (message: string) => ({ name: "DataError", message });
  assert.throws(() => loadSuiteFiles([pipe], contract), line(`${pipe}: is a pipe; give a regular file`));
  assert.throws(() => loadSuiteFiles(["/dev"], contract), line("/dev: is a folder; give a regular file"));
  const long = join(folder, "long.yaml");
  writeFileSync(long, "");
  truncateSync(long, 5 * 1024 * 1024);
  const tooLong = line(`${long}: is longer than the limit of 4 MiB`);
  assert.throws(() => loadSuiteFiles([long], contract), tooLong);
  assert.throws(() => suiteFiles("/no/folder"), line("/no/folder: no such file or folder"));
});

test("a case is a vector with its own place, rules, clock, needs, and values", () => {
  const vectors = load({
    "suite.yaml": `suite: sample
vectors:
  - id: names
    title: a name of that length is accepted
    rules: [ENDPOINT-4]
    needs: [restart]
    cases:
      short: { name: A, then: 200 }
      long: { name: $operatorKey, rules: [LAUNCH-17], clock: whole-minute, then: URI-QUERY }
    steps:
      - repeat:
          times: 2
          steps:
            - build: { by: alice, name: $case.name, spelling: escaped }
              expect: $case.then
`,
  });
  assert.deepEqual(
    vectors.map(({ id, rules, clock, place, needs }) => [id, rules, clock, place.line, needs]),
    [
      ["sample/names/short", ["ENDPOINT-4"], "between-seconds", 8, ["restart", "rawBody"]],
      [
        "sample/names/long",
        ["LAUNCH-17"],
        "whole-minute",
        9,
        ["restart", "virtual-clock", "rawBody", "operatorKey"],
      ],
    ],
  );
  const inner = vectors.flatMap(({ steps }) => steps).flatMap((step) => ("steps" in step ? step.steps : []));
  assert.deepEqual(
    inner.map((step) => [
      "fields" in step && step.fields["name"],
      "expect" in step && step.expect?.open,
      step.rules,
      step.place.line,
    ]),
    [
      ["A", undefined, ["ENDPOINT-4"], 14],
      ["$operatorKey", "URI-QUERY", ["LAUNCH-17"], 14],
    ],
  );
});
