import assert from "node:assert/strict";
import { test } from "node:test";
import { rankFailures } from "../engine/run/rank-failures.ts";
import { spoiled } from "../testing/reference.ts";
import { runWith } from "../testing/run-vectors.ts";
import { WHOLE } from "../testing/whole-tests.ts";
import { loadKitData } from "./kit-data.ts";
import { type OperationName, ROUTES } from "./operations.ts";

const { suites } = loadKitData();
const ABSENT = { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } };

/** What a service in the making is told first, operation by operation as its skeleton is filled in. */
const BUILT: readonly (readonly [built: readonly OperationName[], path: string, rule: string])[] = [
  [[], "/v1/platform", "ENDPOINT-1"],
  [["platform"], "/v1/auth/challenge", "ENDPOINT-2"],
  [["platform", "challenge"], "/v1/auth/verify", "ENDPOINT-3"],
  [["platform", "challenge", "verify"], "/v1/launch/build", "ENDPOINT-4"],
];

for (const [built, path, rule] of BUILT) {
  test(`a service that has ${built.join(", ") || "nothing"} is told of ${path} first`, async () => {
    const paths = new Set(built.map((operation) => ROUTES[operation].path));
    const service = spoiled((_, call) => (paths.has(call.path) ? undefined : ABSENT));
    for (const bail of WHOLE ? [true, false] : [true]) {
      // What comes after the failure that is told first cannot be told before it: without --bail a part will do.
      const vectors = bail ? suites.vectors : suites.vectors.filter(({ steps }) => steps.length < 3);
      const { results } = await runWith({ suites: { ...suites, vectors }, bail }, service);
      const [{ failure } = {}] = rankFailures(results);
      const { path: asked } = (failure?.request ?? {}) as { path?: string };
      assert.deepEqual([asked, failure?.rule], [path, rule]);
      assert.deepEqual([failure?.expected, failure?.got], ["200", "404 NO_EXECUTION_ENDPOINT"]);
    }
  });
}
