import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadKitData } from "../contract/kit-data.ts";
import { PATHS } from "../paths.ts";
import { WHOLE } from "../testing/whole-tests.ts";
import { judgeVerifier, rowOf, type VerifierOutcome } from "./judge-verifier.ts";
import { LIBRARY_IDS } from "./libraries.ts";
import {
  loadVerifiers,
  pinnedVersion,
  predictedChoices,
  publishedCases,
  unpublished,
} from "./load-verifiers.ts";
import { verifierPage } from "./verifier-page.ts";

const kit = loadKitData();
const cases = publishedCases();
const verifiers = loadVerifiers();
const outcomes: VerifierOutcome[] = [];
/** The one whose service every test run judges. */
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

for (const verifier of WHOLE ? verifiers : [tweetnacl]) {
  test(`a service over ${verifier.name} is failed by no vector about proofs, and chooses as published`, {
    skip: unpublished(verifier),
  }, async () => {
    const outcome = await judgeVerifier(verifier, cases, kit, { only: ["verify/*"], runs: 0 });
    outcomes.push(outcome);
    assert.deepEqual(outcome.complaints, []);
    assert.deepEqual(outcome.observed, predictedChoices(verifier, cases));
  });
}

const skip = verifiers.map(unpublished).find((why) => why !== false);
if (WHOLE) {
  test("the page in docs shows what was seen", { skip: skip ?? false }, () => {
    const page = readFileSync(join(PATHS.root, "docs", "verifiers.md"), "utf8");
    assert.equal(page, verifierPage(outcomes, cases, pinnedVersion));
  });
}

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
