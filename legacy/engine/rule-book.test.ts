import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PATHS } from "../paths.ts";
import { temporaryDirectory } from "../testing/temporary-file.ts";
import { loadRuleBook } from "./rule-book.ts";

const FILES = {
  "rules.yaml": `areas: { service: Service, limit: Limits }
rules:
  - id: SERVICE-1
    area: service
    section: Limits
    level: required
    sides: one
    statement: The service answers.
  - id: SERVICE-2
    area: service
    section: Limits
    level: required
    statement: The service keeps it to itself.
    observable: false
    reason: it leaves no trace
`,
  "open-points.yaml": `points:
  - id: CLOCK
    area: limit
    section: Limits
    question: In which steps?
    readings:
      fine: { means: small steps }
      coarse: { outcome: 401 UNAUTHORIZED }
    reference: fine
    why: it is plain enough
  - id: INSTANT
    area: limit
    section: Limits
    question: Still or no more?
    readings: { valid: { outcome: 200 }, expired: { outcome: 401 UNAUTHORIZED } }
    reference: expired
    why: it is plain enough
`,
};

/** A folder with a small contract, in which the first `before` of one file became `after`. */
function folderWith(context: TestContext, file: string, before: string, after: string): string {
  const folder = temporaryDirectory(context);
  for (const schema of ["rules.schema.json", "open-points.schema.json"])
    cpSync(join(PATHS.contract, schema), join(folder, schema));
  for (const [name, text] of Object.entries(FILES)) {
    assert.ok(name !== file || text.includes(before), `${file} holds no "${before}"`);
    writeFileSync(join(folder, name), name === file ? text.replace(before, after) : text);
  }
  return folder;
}

test("rules and open points are read in their order, with what they leave out filled in", (context) => {
  const { areas, rules, points } = loadRuleBook(folderWith(context, "", "", ""));
  assert.deepEqual(
    [...areas],
    [
      ["service", "Service"],
      ["limit", "Limits"],
    ],
  );
  assert.deepEqual(
    [...rules.values()].map(({ id, observable }) => [id, observable]),
    [
      ["SERVICE-1", true],
      ["SERVICE-2", false],
    ],
  );
  assert.deepEqual(points.get("CLOCK")?.readings, [
    { id: "fine", means: "small steps" },
    { id: "coarse", outcome: { status: 401, codes: ["UNAUTHORIZED"] } },
  ]);
  assert.deepEqual([...points.keys()], ["CLOCK", "INSTANT"]);
});

for (const [what, file, before, after, message] of [
  ["a rule without a level", "rules.yaml", "    level: required\n", "", '3:5: rules.0 lacks "level"'],
  [
    "a level that is none",
    "rules.yaml",
    "required",
    "requird",
    '6:5: "requird" is not one of required, open, advice',
  ],
  ["an id of a rule given twice", "rules.yaml", "SERVICE-2", "SERVICE-1", '9:5: duplicate id "SERVICE-1"'],
  [
    "an area that is none",
    "rules.yaml",
    "area: service",
    "area: servcie",
    '4:5: unknown area "servcie" (did you mean "service"?)',
  ],
  [
    "an unknown key",
    "rules.yaml",
    "sides: one",
    "side: one",
    '7:5: unknown key "side" (did you mean "sides"?)',
  ],
  [
    "an id of a point given twice",
    "open-points.yaml",
    "id: INSTANT",
    "id: CLOCK",
    '11:5: duplicate id "CLOCK"',
  ],
  [
    "a reference that takes no reading",
    "open-points.yaml",
    "reference: fine",
    "reference: rough",
    '9:5: "rough" is none of the readings of CLOCK',
  ],
  [
    "a reading that hides no rule",
    "open-points.yaml",
    "fine: { means: small steps }",
    "fine: { means: small steps, hides: [SERVICE-3] }",
    '7:35: unknown rule "SERVICE-3"',
  ],
  [
    "a reading that would be any error",
    "open-points.yaml",
    "outcome: 401 UNAUTHORIZED",
    "outcome: 401",
    /^8:\d+: points\.0\.readings\.coarse\.outcome /,
  ],
] as const) {
  test(`contract data with ${what} is refused in one line`, (context) => {
    const folder = folderWith(context, file, before, after);
    assert.throws(
      () => loadRuleBook(folder),
      (error: Error) => {
        assert.equal(error.name, "DataError");
        const told = error.message.replace(`${folder}/${file}:`, "");
        if (typeof message === "string") assert.equal(told, message);
        else assert.match(told, message);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      },
    );
  });
}
