import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATHS } from "../../paths.ts";
import type { BrokenAnswer } from "../../testing/answers/broken-answer.ts";
import { BROKEN_ENVELOPES } from "../../testing/answers/broken-envelopes.ts";
import { BROKEN_FIELDS } from "../../testing/answers/broken-fields.ts";
import { BROKEN_MESSAGES } from "../../testing/answers/broken-messages.ts";
import { BROKEN_OWNERS, GOOD_OWNERS } from "../../testing/answers/broken-owners.ts";
import { BROKEN_TRANSACTIONS } from "../../testing/answers/broken-transactions.ts";
import { DOUBTFUL_ANSWERS } from "../../testing/answers/doubtful-answers.ts";
import {
  CONTRADICTING_DRAFTS,
  HARMONIOUS_DRAFTS,
  UNEQUAL_DRAFTS,
} from "../../testing/answers/draft-beside-others.ts";
import { LEGAL_ANSWERS } from "../../testing/answers/legal-answers.ts";
import { contract } from "../../testing/contract-data.ts";
import { GOOD, judged } from "../../testing/exchanges.ts";
import { reference, spoiled } from "../../testing/reference.ts";
import { playSteps } from "../../testing/run-vectors.ts";

const BROKEN: readonly BrokenAnswer[] = [
  ...BROKEN_FIELDS,
  ...BROKEN_ENVELOPES,
  ...BROKEN_MESSAGES,
  ...BROKEN_TRANSACTIONS,
  ...BROKEN_OWNERS,
  ...CONTRADICTING_DRAFTS,
];
const shown = new Set<string>();

for (const [operation, good] of Object.entries(GOOD)) {
  test(`the reference's answer to ${operation} breaks nothing, and needs no advice`, () => {
    const { mismatches, advice } = judged(good);
    assert.deepEqual([mismatches, advice], [[], []]);
  });
}

for (const { what, exchange, context } of [...LEGAL_ANSWERS, ...GOOD_OWNERS, ...HARMONIOUS_DRAFTS]) {
  test(`legal: ${what}`, () => assert.deepEqual(judged(exchange, context).mismatches, []));
}

for (const { rule, what, exchange, context, also = [] } of BROKEN) {
  shown.add(rule);
  test(`${rule} is broken: ${what}`, () => {
    const { mismatches } = judged(exchange, context);
    assert.deepEqual(
      [...new Set(mismatches.map((mismatch) => mismatch.rule))].sort(),
      [...also, rule].sort(),
    );
    for (const { path, expected, got } of mismatches) assert.notEqual(`${path}${expected}`, `${path}${got}`);
  });
}

for (const { rule, what, exchange, context } of [...DOUBTFUL_ANSWERS, ...UNEQUAL_DRAFTS]) {
  shown.add(rule);
  test(`${rule} is advised against: ${what}`, () => {
    const { mismatches, advice } = judged(exchange, context);
    assert.deepEqual(mismatches, []);
    assert.deepEqual(
      advice.map((given) => given.rule),
      [rule],
    );
  });
}

for (const [rule, path, steps] of [
  ["ENDPOINT-1", "/v1/platform", "- platform:"],
  ["ENDPOINT-2", "/v1/auth/challenge", "- challenge: { for: alice }"],
  ["ENDPOINT-3", "/v1/auth/verify", "- session: { for: alice }"],
  ["ENDPOINT-4", "/v1/launch/build", "- build: { by: alice }"],
] as const) {
  shown.add(rule);
  test(`${rule} is broken: a valid request is refused`, async (context) => {
    const refusal = { status: 429, body: { code: "OFFLINE_RATE_LIMIT", productionApproved: false } };
    const refuses = spoiled((_, call) => (call.path === path ? refusal : undefined));
    const { failures } = await playSteps(context, steps, refuses, "SERVICE-1");
    assert.deepEqual(
      failures.map((failure) => failure.rules),
      [[rule]],
    );
    assert.equal((await playSteps(context, steps, reference, rule)).outcome, "passed");
  });
}

test("every rule that the judge can blame is shown broken", () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const texts = sources.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const named = [
    ...readFileSync(PATHS.openapi, "utf8").matchAll(/x-(?:statuses-)?rule: ([A-Z]+-\d+)/g),
    ...texts.join().matchAll(/"([A-Z]+-\d+)"/g),
  ];
  const blamed = [...new Set(named.map(([, id]) => id ?? ""))];
  assert.ok(blamed.length > 60, `only ${blamed.length} rules are blamed by the judge`);
  assert.deepEqual(
    blamed.filter((id) => !shown.has(id)),
    [],
  );
  assert.deepEqual(
    blamed.filter((id) => !contract.rules.has(id)),
    [],
  );
});
