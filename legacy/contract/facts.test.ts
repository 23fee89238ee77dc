import assert from "node:assert/strict";
import { test } from "node:test";
import { OPENAPI_OPERATIONS, openapi } from "./openapi.ts";
import { CONTRACT_ID, EXECUTION_WORDS, executionPath, ROUTES, VERSION_PREFIX } from "./operations.ts";

/** The path of what the contract rules out, by the word for it. */
const RULED_OUT = executionPath("sign").replace("sign", "{action}");

const described = Object.entries(openapi().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);
const served = described.filter(({ path }) => path !== RULED_OUT);
const byRoute = (a: readonly [string, string], b: readonly [string, string]) => a[0].localeCompare(b[0]);

test("the contract has one name", () => {
  assert.equal(CONTRACT_ID, openapi().info.version);
});

test("the routes are those of the OpenAPI file, and no others", () => {
  const routes = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(routes.sort(), served.map(({ route }) => route).sort());
});

test("every operation of the OpenAPI file has a name, and stands at its route", () => {
  const named = (Object.keys(ROUTES) as (keyof typeof ROUTES)[]).map((name) => {
    const { method, path } = ROUTES[name];
    return [`${method} ${path}`, OPENAPI_OPERATIONS[name].id] as const;
  });
  const there = served.map(({ route, operation }) => [route, operation.operationId] as const);
  assert.deepEqual(named.sort(byRoute), there.sort(byRoute));
});

test("what would execute something is one path of the OpenAPI file, with the same words", () => {
  const words = described
    .filter(({ path }) => path === RULED_OUT)
    .map(({ operation }) => operation.parameters?.[0]?.schema["enum"]);
  assert.deepEqual(words, [EXECUTION_WORDS]);
});

test("every schema that an operation names is in the OpenAPI file", () => {
  const { schemas } = openapi().components;
  const names = Object.values(OPENAPI_OPERATIONS).flatMap(({ request, response }) => [
    request ?? response,
    response,
  ]);
  assert.deepEqual(
    names.filter((name) => schemas[name] === undefined),
    [],
  );
});

test("every path begins with the version, and none would execute anything", () => {
  const paths = Object.values(ROUTES).map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => !path.startsWith(`${VERSION_PREFIX}/`)),
    [],
  );
  assert.deepEqual(
    EXECUTION_WORDS.filter((word) => paths.includes(executionPath(word))),
    [],
  );
});
