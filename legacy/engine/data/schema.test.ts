import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFile } from "../../testing/temporary-file.ts";
import { checkSchema, suggestion } from "./schema.ts";
import { parseYaml } from "./yaml-source.ts";

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2 },
    level: { enum: ["high", "low"] },
    inner: { type: "object", additionalProperties: false, properties: { "a/b~c": { type: "integer" } } },
    list: { type: "array", items: { type: "integer" } },
    forms: {
      anyOf: [
        { type: "integer", minimum: 1 },
        { type: "string" },
        { type: "array", items: { type: "string" } },
      ],
    },
    either: {
      oneOf: [
        { type: "object", required: ["x"] },
        { type: "object", required: ["y"] },
      ],
    },
  },
};

for (const [text, message] of [
  ["name: Bo\nlevel: low\n", undefined],
  ["nmae: Bo\n", 'file.yaml:1:1: unknown key "nmae" (did you mean "name"?)'],
  ["level: low\n", 'file.yaml:1:1: the file lacks "name"'],
  ["name: B\n", 'file.yaml:1:1: name must be a text of 2 characters or more, not "B"'],
  ["name: 12\n", "file.yaml:1:1: name must be a text, not 12"],
  ["name: Bo\nlevel: hihg\n", 'file.yaml:2:1: "hihg" is not one of high, low'],
  ["name: Bo\ninner:\n  a/b~c: x\n", 'file.yaml:3:3: inner.a/b~c must be a whole number, not "x"'],
  ["name: Bo\nlist: [1, x]\n", 'file.yaml:2:11: list.1 must be a whole number, not "x"'],
  ["name: Bo\neither: 3\n", "file.yaml:2:1: either must be an object, not 3"],
  ["name: Bo\nforms: two\n", undefined],
  [
    "name: Bo\nforms: {}\n",
    "file.yaml:2:1: forms must be a whole number or a text or a list, not an empty object",
  ],
  ["name: Bo\nforms: 0\n", "file.yaml:2:1: forms must be 1 or more, not 0"],
  ["name: Bo\nforms: [x, 1]\n", "file.yaml:2:12: forms.1 must be a text, not 1"],
  ["[]\n", "file.yaml:1:1: the file must be an object, not an empty list"],
  // The deepest fault tells most: an unknown key inside goes before a missing one outside.
  ["inner: { zz: 1 }\n", 'file.yaml:1:10: unknown key "zz"'],
] as const) {
  test(`of ${JSON.stringify(text)} the schema says ${message ?? "nothing"}`, (context) => {
    const schema = temporaryFile(context, "schema.json", JSON.stringify(SCHEMA));
    const check = () => checkSchema(parseYaml(text, "file.yaml"), schema);
    if (message === undefined) check();
    else assert.throws(check, { name: "DataError", message });
  });
}

test("a slip is guessed where a name is near, whatever its case, and not where none is", () => {
  assert.equal(suggestion("ENDPONT-1", ["ENDPOINT-1", "ERROR-1"]), ' (did you mean "ENDPOINT-1"?)');
  assert.equal(suggestion("endpoint-1", ["ERROR-1", "ENDPOINT-1"]), ' (did you mean "ENDPOINT-1"?)');
  assert.equal(suggestion("walrus", ["ENDPOINT-1", "ERROR-1"]), "");
  assert.equal(suggestion("x", []), "");
});
