import assert from "node:assert/strict";
import { test } from "node:test";
import { loadKitData } from "../contract/kit-data.ts";
import { judgeVerifier, rowOf } from "./judge-verifier.ts";
import { LIBRARY_IDS } from "./libraries.ts";
import { loadVerifiers, predictedChoices, publishedCases, unpublished } from "./load-verifiers.ts";

const kit = loadKitData();
const cases = publishedCases();
const verifiers = loadVerifiers();
/** The one whose service is judged here; the others are in verifiers.nightly.test.ts. */
const tweetnacl = verifiers.find(({ id }) => id === "tweetnacl") ?? assert.fail("no tweetnacl");

test("every library has what is published of it, and the other way round", () => {
  assert.deepEqual(verifiers.map(({ id }) => id).sort(), [...LIBRARY_IDS].sort());
});

test("each published case is about a point that the contract leaves open", () => {
  assert.deepEqual(
    cases.filter(({ point }) => !kit.contract.points.has(point)),
    [],
  );
});

for (const verifier of verifiers) {
  test(`${verifier.name} answers the published cases as its row says`, {
    skip: unpublished(verifier),
  }, async () => {
    assert.deepEqual(await rowOf(verifier.id, cases), verifier.row);
  });
}

test("a service over tweetnacl is failed by no vector about proofs, and chooses as published", async () => {
  const { complaints, observed } = await judgeVerifier(tweetnacl, cases, kit, {
    only: ["verify/*"],
    runs: 0,
  });
  assert.deepEqual([complaints, observed], [[], predictedChoices(tweetnacl, cases)]);
});

test("a service that chooses otherwise than published is told", async () => {
  const row = tweetnacl.row.map((accepts) => !accepts);
  const { complaints } = await judgeVerifier({ ...tweetnacl, row }, cases, kit, {
    only: ["verify/unreduced-scalar*"],
    runs: 0,
  });
  assert.ok(
    complaints.includes("UNREDUCED-SCALAR: accepted was seen, not INVALID_PROOF"),
    String(complaints),
  );
});
