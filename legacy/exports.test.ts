import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import { exchangesOf, fixture, fixtureNames, fixtures } from "./fixtures.ts";

const require = createRequire(import.meta.url);

test("client authors import fixtures and the contract's data by the package's name", () => {
  const fixture = require("launch-draft-conformance/vectors/golden/happy-path.json");
  assert.equal(fixture.name, "happy-path");
  assert.ok(
    require.resolve("launch-draft-conformance/vectors/contract/openapi.yaml").endsWith("openapi.yaml"),
  );
});

test("fixtures are had by their names, each time anew", () => {
  assert.equal(fixtures().length, fixtureNames().length);
  const [first, second] = [fixture("happy-path"), fixture("happy-path")];
  assert.deepEqual(first, second);
  assert.notEqual(first, second);
  assert.ok(exchangesOf(first).every(({ http }) => http.request.path.startsWith("/v1/")));
  assert.throws(() => fixture("happy-pat"), {
    name: "RangeError",
    message: 'there is no fixture "happy-pat" (did you mean "happy-path"?)',
  });
});
