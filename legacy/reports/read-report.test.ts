import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { kitVersion } from "../paths.ts";
import { failedResult, resultOf } from "../testing/results.ts";
import { smallReport } from "../testing/small-report.ts";
import { temporaryFile } from "../testing/temporary-file.ts";
import { jsonReport } from "./json.ts";
import { readReport } from "./read-report.ts";

const REPORT = smallReport([resultOf("limits/one", ["LIMIT-1"]), failedResult("limits/two", ["LIMIT-2"])]);

test("what was written is read again as it was", (context) => {
  assert.deepEqual(readReport(temporaryFile(context, "a.json", jsonReport(REPORT))), REPORT);
});

/** The one line by which a text is refused. */
function refusal(context: TestContext, text: string): string {
  const file = temporaryFile(context, "bad.json", text);
  let message = "";
  assert.throws(
    () => readReport(file),
    (error: Error) => {
      message = error.message.replace(file, "bad.json");
      return error.name === "DataError";
    },
  );
  assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
  return message;
}

test("what is no JSON is told with what is wrong", (context) => {
  assert.match(refusal(context, "{\u001b[2J"), /^bad\.json: no JSON \(.+\)$/);
  assert.match(refusal(context, ""), /^bad\.json: no JSON \(.+\)$/);
});

test("what is no report is told with the place", (context) => {
  const kit = { name: "launch-draft-conformance", version: kitVersion() };
  const broken = (more: object) => JSON.stringify({ ...REPORT, kit, ...more });
  assert.match(refusal(context, "null"), /^bad\.json: no report of this kit: .+object, not null$/);
  assert.equal(
    refusal(context, broken({ verdikt: 1 })),
    'bad.json: no report of this kit: at verdikt unknown key "verdikt" (did you mean "verdict"?)',
  );
  const outcome = { ...REPORT.results[0], outcome: "pass\u202e" };
  assert.match(
    refusal(context, broken({ results: [outcome] })),
    /: at results\.0\.outcome "pass\\u\{202e\}" is not one of/,
  );
});

test("a report of another version says so where it does not fit", (context) => {
  const text = JSON.stringify({ ...REPORT, kit: { ...REPORT.kit, version: "9.0.0" }, novelty: 1 });
  assert.match(refusal(context, text), /no report of this kit \(version 9\.0\.0 wrote it\): at novelty/);
});

test("a file that is not there is one line", () => {
  assert.throws(() => readReport("/nowhere/a.json"), { message: "/nowhere/a.json: cannot be read (ENOENT)" });
});
