import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readContract } from "../contract/contract.ts";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readTransformations, spell, type Transformation } from "./transformations.ts";
import { formsOf, type TransformedTexts, transformedCases } from "./transformed.ts";

const contract = readContract(join(DATA_FOLDER, "contract"));
const all = Object.values(readTransformations().functions).flat();
const named = (name: string) => all.find((entry) => entry.name === name) as Transformation;

function spec(place: string, use: TransformedTexts["use"]): TransformedTexts {
  const each = [{ build: { by: "alice", name: "$case.text" }, expect: "$case.expect" }];
  return { place, use, "at-most": 5, expect: "409 IDEMPOTENCY_CONFLICT", each };
}

const textsOf = (name: string, place: string, use: TransformedTexts["use"]) => {
  const forms = formsOf(named(name), spec(place, use));
  return typeof forms === "string" ? forms : forms.map(({ plain, text }) => [plain, text]);
};

test("a form of a name is another valid name that the function makes equal to the first", () => {
  assert.deepEqual(textsOf("hex", "name", "another"), [["Demo Coin", "44656d6f20436f696e"]]);
  assert.deepEqual(textsOf("sharp-s", "name", "another"), [["éüøłœßςñ½", "éüøłœssςñ½"]]);
});

test("a text that can be the same canonical input is not a form", () => {
  assert.equal(textsOf("space-after", "name", "another"), "LAUNCH-40 is a recommendation");
});

test("a form of a value of a response is a template, if all samples of the value have the form", () => {
  assert.deepEqual(textsOf("quotes", "id", "refused"), [["$first.id", { $quotes: "$first.id" }]]);
  assert.equal(textsOf("hiragana", "id", "refused"), "changes no text of this place");
});

test("a text at a limit crosses it by the function", () => {
  const [[plain, text] = []] = textsOf("percent-of-one", "name", "too-long") as string[][];
  assert.deepEqual([plain?.length, text?.length], [31, 33]);
  const [[shorter, longest] = []] = textsOf("no-hyphens", "name", "longest") as string[][];
  assert.ok(Buffer.byteLength(shorter ?? "") > 32);
  assert.equal(Buffer.byteLength(longest ?? ""), 32);
});

test("a valid signature in an encoding that lenient decoders read as base64 is not a form", () => {
  assert.equal(textsOf("quotes", "signature", "refused"), "the text can be valid");
  assert.notEqual(textsOf("bytes-as-base58", "signature", "refused"), "the text can be valid");
});

test("a case has few steps and the names of its first and last function; an open text may be refused", () => {
  const first = [{ build: { by: "alice", name: "$case.plain" } }];
  const named = transformedCases({ ...spec("name", "another"), first }, contract);
  const cases = Object.values(named);
  assert.match(Object.keys(named).join(), /^base64-to-[\w-]+,/);
  assert.ok(cases.every(({ steps }) => steps.length >= 2 && steps.length <= 5));
  const steps = JSON.stringify(cases);
  assert.match(steps, /"allowed-by":"NAME-CONTROL-CHARACTERS"/);
});

test("at least sixty functions change a text, and each states a reason", () => {
  assert.ok(all.length >= 60);
  for (const entry of all)
    for (const text of Object.keys(entry.examples)) assert.notEqual(spell(entry, text), text, entry.reason);
});
