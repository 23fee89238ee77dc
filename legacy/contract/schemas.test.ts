import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { implementationInfoSchema } from "../adapters/implementation-info.schema.ts";
import { readYaml } from "../engine/data/yaml-source.ts";
import { PATHS } from "../paths.ts";

const files = readdirSync(PATHS.contract).filter((name) => name.endsWith(".schema.json"));
const schemas: readonly (readonly [string, object])[] = [
  ...files.map((name) => [name, JSON.parse(readFileSync(join(PATHS.contract, name), "utf8"))] as const),
  ["what an implementation says of itself", implementationInfoSchema],
  ...Object.entries(
    (readYaml(PATHS.openapi).value as { components: { schemas: Record<string, object> } }).components.schemas,
  ),
];

for (const [name, schema] of schemas) {
  test(`${name} is a JSON Schema`, () => {
    const ajv = new Ajv2020();
    assert.equal(ajv.validateSchema(schema), true, ajv.errorsText());
  });
}

for (const name of files) {
  test(`${name} compiles in Ajv's strict mode, where a slip in a schema is an error`, () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    ajv.compile(JSON.parse(readFileSync(join(PATHS.contract, name), "utf8")));
  });
}

test("a schema that is none is noticed", () => {
  assert.ok(schemas.length > 20, `${schemas.length} schemas`);
  assert.equal(new Ajv2020({ logger: false }).validateSchema({ type: "text" }), false);
});
