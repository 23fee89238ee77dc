import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILDS_PER_WINDOW } from "./build-limiter.ts";
import { METADATA_HOSTS, OPERATOR_KEY, PROGRAM_ADDRESS, TERMS_HASH } from "./profile.ts";
import { capabilities, facts, implementation } from "./service.ts";
import { actor, launchOf, outcome, TestClient } from "./testing/test-client.ts";

const alice = actor("alice");
const TOO_LARGE = "{".repeat(16_385);

describe("routes", () => {
  it("returns the profile as a new object each time", () => {
    const client = new TestClient();
    const first = client.handle({ method: "GET", path: "/v1/platform" });
    const text = JSON.stringify(first);
    assert.equal(first.status, 200);
    assert.equal(first.body["termsHash"], TERMS_HASH);
    Object.assign(first.body["signing"] as object, { algorithm: "none" });
    assert.equal(JSON.stringify(client.handle({ method: "GET", path: "/v1/platform" })), text);
  });

  const absent: readonly (readonly [method: unknown, path: unknown])[] = [
    ["POST", "/v1/launch/sign"],
    ["POST", "/v1/launch/send"],
    ["POST", "/v1/buy"],
    ["POST", "/v1/fees/claim"],
    ["POST", "/v1/payout"],
    ["POST", "/v1/platform"],
    ["GET", "/v1/launch/build"],
    ["get", "/v1/platform"],
    ["GET", "/v1/platform/"],
    ["GET", "/v1/platform?"],
    ["GET", "/V1/platform"],
    ["GET ", "/v1/platform"],
    ["GET /v1/platform", ""],
    ["", "GET /v1/platform"],
    ["__proto__", "constructor"],
    [undefined, undefined],
    [["GET"], ["/v1/platform"]],
  ];
  for (const [method, path] of absent) {
    it(`has no ${JSON.stringify(method)} ${JSON.stringify(path)}`, () => {
      const { status, body } = new TestClient().handle({ method, path, body: TOO_LARGE });
      assert.deepEqual(
        { status, body },
        { status: 404, body: { code: "NO_EXECUTION_ENDPOINT", productionApproved: false } },
      );
    });
  }
});

describe("order of checks in a build", () => {
  const client = new TestClient({ capacity: { drafts: BUILDS_PER_WINDOW + 1 } });
  const bearer = client.login(alice);
  const launch = launchOf(alice);
  const uri = (authority: string, rest = "/m.json") => ({ ...launch, uri: `https://${authority}${rest}` });
  for (let built = 1; built <= BUILDS_PER_WINDOW; built += 1)
    client.build(alice, bearer, {}, `used-key-${built}`);
  const bob = actor("bob");
  client.build(bob, client.login(bob));
  client.now += 1;

  // Each request has the fault of its row, and the faults of later rows that can be combined with it.
  const rows: readonly (readonly [expected: string, body: unknown, rest: object])[] = [
    ["413 BODY_TOO_LARGE", TOO_LARGE, {}],
    ["401 UNAUTHORIZED", "{", {}],
    ["400 IDEMPOTENCY_REQUIRED", "{", { bearer }],
    ["400 IDEMPOTENCY_REQUIRED", "{", { bearer, idempotencyKey: "seven77" }],
    ["400 IDEMPOTENCY_REQUIRED", "{", { bearer, idempotencyKey: "x".repeat(65) }],
    ["400 INVALID_JSON_BODY", "{", { bearer, idempotencyKey: "used-key-1" }],
    [
      "400 INVALID_FIELDS",
      { ...uri("x"), creator: bob.creator, name: "" },
      { bearer, idempotencyKey: "used-key-1" },
    ],
    [
      "400 CREATOR_BINDING_OR_FIELDS",
      { ...uri("x"), creator: bob.creator, mint: bob.creator },
      { bearer, idempotencyKey: "used-key-1" },
    ],
    [
      "400 CANONICAL_BUILD_REJECTED",
      { ...uri("x"), mint: alice.creator },
      { bearer, idempotencyKey: "used-key-1" },
    ],
    ["400 METADATA_HOST", uri("x"), { bearer, idempotencyKey: "used-key-1" }],
    ["400 METADATA_URL", uri(METADATA_HOSTS[0], "/#"), { bearer, idempotencyKey: "used-key-1" }],
    ["409 IDEMPOTENCY_CONFLICT", uri(METADATA_HOSTS[1]), { bearer, idempotencyKey: "used-key-1" }],
    ["200", launch, { bearer, idempotencyKey: "used-key-1" }],
    ["429 OFFLINE_RATE_LIMIT", launch, { bearer, idempotencyKey: "x".repeat(8) }],
  ];
  rows.forEach(([expected, body, rest], index) => {
    it(`row ${index + 1} gets ${expected}`, () => {
      assert.equal(outcome(client.post("/v1/launch/build", body, rest)), expected);
    });
  });

  it("checks the capacity last", () => {
    const carol = actor("carol");
    assert.equal(outcome(client.build(carol, client.login(carol))), "429 OFFLINE_CAPACITY");
  });
});

describe("launch request", () => {
  const client = new TestClient();
  const bearer = client.login(alice);
  const [host] = METADATA_HOSTS;
  const longUri = (length: number) => `https://${host}/`.padEnd(length, "x");

  const refused: Readonly<Record<string, readonly [expected: string, changes: object]>> = {
    "a field too many": ["400 INVALID_FIELDS", { x: "" }],
    "a field too few": ["400 INVALID_FIELDS", { uri: undefined }],
    "a field that is not a string": ["400 INVALID_FIELDS", { symbol: 5 }],
    "a malformed creator": ["400 INVALID_FIELDS", { creator: "0".repeat(32) }],
    "a mint of 33 bytes": ["400 INVALID_FIELDS", { mint: "1".repeat(33) }],
    "an empty name": ["400 INVALID_FIELDS", { name: "" }],
    "a name of 33 bytes": ["400 INVALID_FIELDS", { name: "x".repeat(33) }],
    "a name of 17 letters in 34 bytes": ["400 INVALID_FIELDS", { name: "é".repeat(17) }],
    "a lone surrogate": ["400 INVALID_FIELDS", { name: "\ud83d" }],
    "a symbol of 11 bytes": ["400 INVALID_FIELDS", { symbol: "x".repeat(11) }],
    "an empty uri": ["400 INVALID_FIELDS", { uri: "" }],
    "a uri of 201 bytes": ["400 INVALID_FIELDS", { uri: longUri(201) }],
    "the operator's key as mint": ["400 CANONICAL_BUILD_REJECTED", { mint: OPERATOR_KEY }],
    "the program's address as mint": ["400 CANONICAL_BUILD_REJECTED", { mint: PROGRAM_ADDRESS }],
  };
  for (const [what, [expected, changes]] of Object.entries(refused)) {
    it(`is refused for ${what}`, () => assert.equal(outcome(client.build(alice, bearer, changes)), expected));
  }

  const accepted: Readonly<Record<string, object>> = {
    "the longest fields": { name: "é".repeat(16), symbol: "x".repeat(10), uri: longUri(200) },
    "the shortest fields": { name: "x", symbol: "x", uri: `https://${host}/` },
    "a character outside the basic plane": { name: "\u{1f680}" },
    "a mint of zero bytes": { mint: "1".repeat(32) },
  };
  for (const [what, changes] of Object.entries(accepted)) {
    it(`is accepted with ${what}`, () => assert.equal(outcome(client.build(alice, bearer, changes)), "200"));
  }
});

describe("exports of the module for tests", () => {
  it("name the implementation, and agree with the service", () => {
    assert.equal(implementation.name, "launch-draft-reference");
    assert.deepEqual(capabilities, { clock: "virtual", restart: true, rawBody: true, concurrency: true });
    assert.deepEqual(facts.capacity, { challenges: 256, sessions: 64, drafts: 128 });
    const client = new TestClient();
    for (let issued = 0; issued < facts.capacity.challenges; issued += 1)
      assert.equal(client.challenge(alice).status, 200);
    assert.equal(outcome(client.challenge(alice)), "429 OFFLINE_CAPACITY");
  });
});
