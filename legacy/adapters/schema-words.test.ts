import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { givenIn, wantedBy } from "./schema-words.ts";

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true, strict: false });

/** What is said of a value that breaks a schema in one thing. */
function said(schema: object, value: unknown): string {
  const validate = ajv.compile(schema);
  assert.equal(validate(value), false);
  const error = validate.errors?.at(-1);
  assert.ok(error !== undefined);
  return `${wantedBy(error)}, not ${givenIn(error.data)}`;
}

for (const [schema, value, words] of [
  [{ type: ["string", "number"] }, { a: 1 }, "a text or a number, not an object"],
  [{ type: ["boolean", "null", "array"] }, 1, "true or false or null or a list, not 1"],
  [{ type: "integer" }, {}, "a whole number, not an empty object"],
  [{ const: null }, [], "null, not an empty list"],
  [{ enum: ["a", 1] }, "b", 'one of a, 1, not "b"'],
  [{ minLength: 1 }, "", 'a text that is not empty, not ""'],
  [{ minLength: 3 }, "ab", 'a text of 3 characters or more, not "ab"'],
  [{ maxLength: 1 }, "x".repeat(61), "a text of at most 1 character, not a text of 61 characters"],
  [{ pattern: "^a$" }, "b", 'of the form ^a$, not "b"'],
  [{ minimum: 2 }, 1, "2 or more, not 1"],
  [{ maximum: 2 }, 3, "2 or less, not 3"],
  [{ exclusiveMinimum: 2 }, 2, "more than 2, not 2"],
  [{ exclusiveMaximum: 2 }, 2, "less than 2, not 2"],
  [{ multipleOf: 2 }, 3, "a multiple of 2, not 3"],
  [{ minItems: 1 }, [], "a list that is not empty, not an empty list"],
  [{ minItems: 2 }, [1], "a list of 2 entries or more, not a list"],
  [{ maxItems: 0 }, [1], "an empty list, not a list"],
  [{ maxItems: 1 }, [1, 2], "a list of at most 1 entry, not a list"],
  [{ uniqueItems: true }, [1, 1], "a list without the same entry twice, not a list"],
  [{ minProperties: 1 }, {}, "an object that is not empty, not an empty object"],
  [{ maxProperties: 1 }, { a: 1, b: 1 }, "an object of at most 1 member, not an object"],
  [{ required: ["a"] }, {}, "present, not an empty object"],
  [{ oneOf: [{ const: 1 }, { const: 2 }] }, 3, "of one of 2 forms, not 3"],
  [{ not: { required: ["a"] } }, { a: 1 }, "something else: these do not go together, not an object"],
] as const) {
  test(`${JSON.stringify(schema)} broken by ${JSON.stringify(value).slice(0, 20)} is told in words`, () => {
    assert.equal(said(schema, value), words);
  });
}

test("what has no words yet is told as the validator tells it", () => {
  assert.equal(
    said({ contains: { const: 1 } }, [2]),
    "otherwise (must contain at least 1 valid item(s)), not a list",
  );
});
