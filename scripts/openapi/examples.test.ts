import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PATHS } from "../../legacy/paths.ts";
import { EXAMPLES, exampleSources, withExamples } from "./examples.ts";
import { readFixture, withGoldenExamples } from "./golden-examples.ts";
import { type Node, readHttpDescription, segment } from "./http-description.ts";

interface ErrorSchema {
  readonly properties: { readonly code: { readonly enum: readonly string[] } };
}

const description = readHttpDescription(PATHS.openapi);

test("the examples are what the golden transcripts have now (npm run golden writes them)", () => {
  assert.equal(readFileSync(PATHS.openapi, "utf8"), withGoldenExamples());
});

test("every request body, header and response has examples, and they fit its schema", () => {
  const holders = [...schemaHolders(description.root)].filter(({ node }) => node["in"] !== "path");
  assert.ok(holders.length > 10, `${holders.length} have a schema`);
  for (const { pointer, node } of holders) {
    const values = Object.entries(exampleValues(node));
    assert.notEqual(values.length, 0, `${pointer} has no example`);
    for (const [name, value] of values) {
      assert.deepEqual(description.faults(`${pointer}/schema`, value), [], `${name} at ${pointer}`);
    }
  }
});

test("every error code has one example, which is that error", () => {
  const shown: string[] = [];
  const responses = Object.keys(description.at("/components/responses")?.node ?? {});
  for (const name of responses) {
    const media = `/components/responses/${name}/content/application~1json`;
    const schema = (description.at(`${media}/schema`)?.node ?? {}) as Partial<ErrorSchema>;
    const codes = schema.properties?.code.enum ?? [];
    const expected = codes.map((code) => [code, { code, productionApproved: false }]);
    assert.deepEqual(exampleValues(description.at(media)?.node ?? {}), Object.fromEntries(expected));
    shown.push(...codes);
  }
  assert.equal(new Set(shown).size, 18);
});

test("a reference to something that is no part of a transcript is an error", () => {
  const document = readFileSync(PATHS.openapi, "utf8");
  const text = (name: string, into = document) =>
    withExamples(into, exampleSources({ $ref: `${EXAMPLES}${name}` }), readFixture);
  assert.match(
    text("happy-path-1-response"),
    /\n {4}happy-path-1-response:\n[\s\S]*\n {6}value:\n {8}mode: /,
  );
  assert.throws(() => text("happy-path/response"), /names no example/);
  assert.throws(() => text("happy-path-1-answer"), /names no example/);
  assert.throws(() => text("happy-path-9-response"), /happy-path has no exchange as step 9/);
  assert.throws(() => text("happy-path-1-request"), /step 1 of happy-path has no request/);
  assert.throws(() => text("happy-path-1-idempotency-key"), /has no idempotency-key/);
  assert.throws(() => text("happy-path-1-response", "openapi: 3.1.0"), /the document has no line/);
});

/** The values of the examples beside a schema, by name. */
function exampleValues({ examples: references = {} }: Node): Readonly<Record<string, unknown>> {
  const values = Object.entries(references as Record<string, Node>).map(
    ([name, { $ref }]) => [name, description.at(String($ref).slice(1))?.node["value"]] as const,
  );
  return Object.fromEntries(values);
}

/** Whatever has a schema beside it: parameters, and media types of requests and responses. */
function* schemaHolders(node: unknown, pointer = ""): Generator<{ pointer: string; node: Node }> {
  if (typeof node !== "object" || node === null || pointer === "/components/schemas") return;
  if ("schema" in node) yield { pointer, node: node as Node };
  for (const [key, inner] of Object.entries(node)) yield* schemaHolders(inner, `${pointer}/${segment(key)}`);
}
