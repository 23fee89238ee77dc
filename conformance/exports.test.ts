import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);

test("client authors import fixtures and the contract's data by the package's name", () => {
  const fixture = require("launch-draft-conformance/vectors/golden/happy-path.json");
  assert.equal(fixture.name, "happy-path");
  assert.ok(
    require.resolve("launch-draft-conformance/vectors/contract/openapi.yaml").endsWith("openapi.yaml"),
  );
});
