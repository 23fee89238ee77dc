import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadKitData } from "../contract/kit-data.ts";
import { PATHS } from "../paths.ts";
import { judgeVerifier, type VerifierOutcome } from "./judge-verifier.ts";
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

for (const verifier of verifiers) {
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
test("the page in docs shows what was seen", { skip: skip ?? false }, () => {
  const page = readFileSync(join(PATHS.root, "docs", "verifiers.md"), "utf8");
  assert.equal(page, verifierPage(outcomes, cases, pinnedVersion));
});
