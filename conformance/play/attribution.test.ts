import assert from "node:assert/strict";
import { test } from "node:test";
import * as reference from "../../reference/service.ts";
import type { Request } from "../adapters/adapter.ts";
import { InProcessAdapter } from "../adapters/in-process.ts";
import { readServiceContract } from "../contract/contract.ts";
import { run } from "../run/run.ts";
import { loadKitVectors } from "../suite/load.ts";

const contract = readServiceContract();
const suite = loadKitVectors(contract);

const refuse = (status: number, code: string) => ({ status, body: { code, productionApproved: false } });

/** Returns the rules that the reference violates in some tests if it responds to some requests in another way. */
async function violatedRules(respond: (request: Request) => unknown, only: readonly string[]) {
  const createService = (options: reference.ServiceOptions) => {
    const service = reference.createService(options);
    return { handle: (request: Request) => respond(request) ?? service.handle(request) };
  };
  const adapter = new InProcessAdapter({ ...reference, createService });
  const { results, verdict } = await run(contract, suite, adapter, { selection: { only } });
  assert.ok(results.some(({ outcome }) => outcome === "failed"));
  const failing = results.flatMap(({ findings }) => findings.filter(({ incidental }) => !incidental));
  const outcomes = new Map(verdict.rules.map(({ rule: { id }, outcome }) => [id, outcome]));
  return { rules: [...new Set(failing.flatMap(({ rules }) => rules))].sort(), outcomes };
}

const isAt = (name: string) => (request: Request) => request.path.endsWith(name);

test("if an operation is missing, only the rule of this operation is violated", async () => {
  const respond = (request: Request) =>
    isAt("/verify")(request) ? refuse(404, "NO_EXECUTION_ENDPOINT") : undefined;
  const { rules, outcomes } = await violatedRules(respond, [
    "verify/*",
    "verify-input/*",
    "session/issued/*",
  ]);
  // The status of the response is not one of those that the contract lists for the operation.
  assert.deepEqual(rules, ["ENDPOINT-3", "ENDPOINT-6"]);
  assert.equal(outcomes.get("VERIFY-8"), "not-tested");
});

test("if an operation refuses all valid requests, only its rule is violated by these refusals", async () => {
  const respond = (request: Request) => (isAt("/verify")(request) ? refuse(401, "INVALID_PROOF") : undefined);
  const { rules } = await violatedRules(respond, ["verify/honest-proof/*", "challenge/usable-at-once/*"]);
  assert.deepEqual(rules, ["ENDPOINT-3"]);
});

test("a missing operation is found even if no test reaches it with a valid request", async () => {
  const respond = (request: Request) => {
    if (isAt("/verify")(request)) return refuse(401, "INVALID_PROOF");
    return isAt("/build")(request) ? refuse(404, "NO_EXECUTION_ENDPOINT") : undefined;
  };
  const { rules } = await violatedRules(respond, ["auth/build-without-bearer"]);
  assert.deepEqual(rules, ["ENDPOINT-4"]);
});

test("if some valid requests succeed, the refusal of a special one violates the rules of its test", async () => {
  const respond = (request: Request) =>
    String(request.body).includes(`"${"x".repeat(31)}"`) ? refuse(400, "INVALID_FIELDS") : undefined;
  const { rules } = await violatedRules(respond, ["build-texts/name-within-bounds/*"]);
  assert.ok(!rules.includes("ENDPOINT-4"), rules.join(" "));
});

test("a wrong value of an earlier response is a failure of the test that sends it", async () => {
  const id = "0".repeat(47);
  const body = { id, message: "m", expiresAt: "2026-01-01T00:01:00.000Z", productionApproved: false };
  const respond = (request: Request) => (isAt("/challenge")(request) ? { status: 200, body } : undefined);
  const { rules } = await violatedRules(respond, ["build-texts/name-within-bounds/*"]);
  assert.deepEqual(rules, ["CHALLENGE-1", "ENDPOINT-3"]);
});

test("a session that ends early is named, even in tests of other rules", async () => {
  const respondOnce = () => {
    const used = new Set<string | undefined>();
    return (request: Request) => {
      if (!isAt("/build")(request)) return undefined;
      if (used.has(request.bearer)) return refuse(401, "UNAUTHORIZED");
      used.add(request.bearer);
      return undefined;
    };
  };
  const { rules } = await violatedRules(respondOnce(), [
    "idempotency/spelling/*",
    "rate-limit/five-at-once/*",
  ]);
  assert.equal(rules.includes("SESSION-5"), true, rules.join(" "));
});
