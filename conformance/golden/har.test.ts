import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { Ajv } from "ajv";
import type { Har } from "har-format";
import { exchangeAt, golden } from "../testing/golden/kit-fixtures.ts";
import { exchangesOf } from "./fixture.ts";
import { harFiles, harText } from "./har.ts";

const require = createRequire(import.meta.url);
const har = JSON.parse(harText(golden)) as Har;

/** The published schemas are written in JSON Schema draft 6, of which Ajv brings the meta-schema. */
function harValidator() {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(require("ajv/dist/refs/json-schema-draft-06.json"));
  const schemas = require("har-schema") as Readonly<Record<string, object>>;
  ajv.addSchema(Object.values(schemas));
  const validate = ajv.getSchema("har.json#");
  assert.ok(validate);
  return validate;
}

test("the export is HAR 1.2 by the published schema", () => {
  const validate = harValidator();
  assert.ok(validate(har), JSON.stringify(validate.errors));
  assert.equal(har.log.version, "1.2");
  assert.equal(validate({ log: { ...har.log, entries: [{}] } }), false);
});

test("there is a page for every fixture and an entry for every exchange, at the moment of its clock", () => {
  assert.deepEqual(
    har.log.pages?.map(({ id, title }) => [id, title]),
    golden.fixtures.map(({ name, title }) => [name, title]),
  );
  const steps = golden.fixtures.flatMap(exchangesOf);
  assert.equal(har.log.entries.length, steps.length);
  for (const [index, { nowMs, http }] of steps.entries()) {
    const entry = har.log.entries[index];
    assert.equal(Date.parse(entry?.startedDateTime ?? ""), nowMs);
    assert.deepEqual(entry?.request.headers, http.request.headers);
    assert.equal(entry?.response.content.text, http.response.body);
    assert.equal(new URL(entry?.request.url ?? "").pathname, http.request.path);
  }
});

test("a HAR for each fixture holds its own entries and no other, and is HAR 1.2", () => {
  const validate = harValidator();
  const files = [...harFiles(golden)].map(([file, text]) => [file, JSON.parse(text) as Har] as const);
  assert.deepEqual(
    files.map(([file]) => file),
    golden.fixtures.map(({ name }) => `${name}.har`),
  );
  for (const [, each] of files) assert.ok(validate(each), JSON.stringify(validate.errors));
  assert.deepEqual(
    files.flatMap(([, { log }]) => log.entries),
    har.log.entries,
  );
});

test("every moment is RFC 3339 and every URL absolute, which the schema leaves unchecked here", () => {
  for (const { startedDateTime, request } of har.log.entries) {
    assert.match(startedDateTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$/);
    assert.ok(request.url.startsWith("http://launch-draft.invalid/"));
  }
});

test("sizes are those of the bytes, and bytes that are no text stand in base64", () => {
  const entryOf = (name: string, step: number) =>
    har.log.entries.find(({ pageref, comment }) => pageref === name && comment === `step ${step}`);
  const large = entryOf("body-too-large", 2);
  assert.equal(large?.request.bodySize, 16_385);
  assert.equal(large?.request.postData?.text, exchangeAt("body-too-large", 2).request.body);
  const bytes = entryOf("invalid-json-body", 7);
  assert.deepEqual(bytes?.request.postData, {
    mimeType: "application/json",
    text: "/3sifQ==",
    _encoding: "base64",
  });
  assert.equal(bytes?.request.bodySize, 4);
});
