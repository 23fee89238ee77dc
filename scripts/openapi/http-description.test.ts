import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRuleBook } from "../../legacy/engine/rule-book.ts";
import { PATHS } from "../../legacy/paths.ts";
import { readHttpDescription } from "./http-description.ts";

const description = readHttpDescription(PATHS.openapi);
const statements = [...loadRuleBook(PATHS.contract).rules.values()].map(({ statement }) => statement);

test("the document has the operations of the rules, with their statuses", () => {
  const expected = statements.flatMap((statement) => {
    const [, operation, statuses] = /^`(\w+ \S+)` answers with no status but (.*)\.$/.exec(statement) ?? [];
    return operation === undefined ? [] : [[operation, statuses?.match(/\d+/g)]];
  });
  assert.equal(expected.length, 3);
  const operations = Object.entries(description.at("/paths")?.node ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { responses: object }>).map(
      ([method, { responses }]) => [`${method.toUpperCase()} ${path}`, Object.keys(responses)] as const,
    ),
  );
  assert.deepEqual(Object.fromEntries(operations), {
    ...Object.fromEntries(expected),
    "GET /v1/platform": ["200"],
    "POST /v1/launch/{action}": ["404"],
  });
});

test("the document has the error codes of the rules, each under its status", () => {
  const expected = statements.flatMap((statement) => {
    const [, code, status] = /^`([A-Z_]+)` comes with status (\d+)/.exec(statement) ?? [];
    return code === undefined ? [] : [`${status} ${code}`];
  });
  assert.equal(expected.length, 18);
  const schemas = description.at("/components/schemas")?.node ?? {};
  const described = Object.keys(schemas).flatMap((name) => {
    const status = /^Error(\d+)$/.exec(name)?.[1];
    const codes = description.at(`/components/schemas/${name}/properties/code/enum`)?.node ?? [];
    return status === undefined ? [] : Object.values(codes).map((code) => `${status} ${code}`);
  });
  assert.deepEqual(described.sort(), expected.sort());
});

test("there is no server, and the version is the contract's", () => {
  const { openapi, servers, info } = description.root;
  assert.deepEqual([openapi, servers], ["3.1.0", []]);
  assert.equal((info as { version: string }).version, "partner-preview-1");
});
