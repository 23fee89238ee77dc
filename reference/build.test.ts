import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { checkRoom } from "./build.ts";
import { BUILDS_PER_WINDOW, BuildLimiter } from "./build-limiter.ts";
import { emptyState } from "./state.ts";
import { type Actor, actor, launchOf, outcome, TestClient } from "./testing/test-client.ts";

const alice = actor("alice");
const KEY = "retry-key";

function clientOf(who: Actor, options = {}): { client: TestClient; bearer: string } {
  const client = new TestClient(options);
  return { client, bearer: client.login(who) };
}

describe("retry", () => {
  it("returns the same bytes for 30 s after the first build, regardless of the formatting of the JSON", () => {
    const { client, bearer } = clientOf(alice);
    const first = JSON.stringify(client.build(alice, bearer, {}, KEY));
    client.now += 20_000;
    assert.equal(JSON.stringify(client.build(alice, bearer, {}, KEY)), first);
    client.now += 9_999;
    const reversed = Object.fromEntries(Object.entries(launchOf(alice)).reverse());
    const text = JSON.stringify(reversed, null, 2).replace("EXT", "\\u0045XT");
    assert.equal(
      JSON.stringify(client.post("/v1/launch/build", text, { bearer, idempotencyKey: KEY })),
      first,
    );
    client.now += 1;
    assert.equal(outcome(client.build(alice, bearer, {}, KEY)), "409 REBUILD_WITH_NEW_KEY");
    assert.equal(outcome(client.build(alice, bearer, {})), "200");
  });

  it("returns the same draft even if a caller changes an earlier response", () => {
    const { client, bearer } = clientOf(alice);
    const first = client.build(alice, bearer, {}, KEY);
    const before = JSON.stringify(first);
    for (const { body } of [first, client.build(alice, bearer, {}, KEY)]) {
      const { requiredSigners, cost } = body as {
        requiredSigners: string[];
        cost: { accounts: { bytes: number }[] };
      };
      requiredSigners.length = 0;
      for (const account of cost.accounts) account.bytes = 0;
      cost.accounts.length = 0;
      Object.assign(body, { sendable: true });
      assert.equal(JSON.stringify(client.build(alice, bearer, {}, KEY)), before);
    }
  });

  it("returns a draft that expires at a whole millisecond on a clock with fractions", () => {
    const { client, bearer } = clientOf(alice);
    client.now += 0.75;
    assert.equal(client.build(alice, bearer).body["expiresAt"], Math.floor(client.now) + 30_000);
  });

  it("conflicts if any field has changed, before and after the expiry, and leaves the draft unchanged", () => {
    const { client, bearer } = clientOf(alice);
    const first = JSON.stringify(client.build(alice, bearer, {}, KEY));
    const launch = launchOf(alice);
    const changes = [
      { mint: actor("x").creator },
      { name: "Other" },
      { symbol: "OTH" },
      { uri: `${launch.uri}?` },
      { name: `${launch.name} ` },
    ];
    for (const change of changes)
      assert.equal(outcome(client.build(alice, bearer, change, KEY)), "409 IDEMPOTENCY_CONFLICT");
    assert.equal(JSON.stringify(client.build(alice, bearer, {}, KEY)), first);
    client.now += 30_000;
    for (const change of changes)
      assert.equal(outcome(client.build(alice, bearer, change, KEY)), "409 IDEMPOTENCY_CONFLICT");
  });

  it("is refused at any time after the draft has expired", () => {
    const { client, bearer } = clientOf(alice);
    client.build(alice, bearer, {}, KEY);
    for (const wait of [30_000, 0, 300_000, 3_000_000]) {
      client.now += wait;
      assert.equal(outcome(client.build(alice, bearer, {}, KEY)), "409 REBUILD_WITH_NEW_KEY");
    }
  });

  it("works in a different session of the creator, and each creator has separate keys", () => {
    const { client, bearer } = clientOf(alice);
    const first = JSON.stringify(client.build(alice, bearer, {}, KEY));
    assert.equal(JSON.stringify(client.build(alice, client.login(alice), {}, KEY)), first);
    const bob = actor("bob");
    assert.equal(outcome(client.build(bob, client.login(bob), {}, KEY)), "200");
  });
});

describe("rate limit", () => {
  it("limits the new builds of each creator per minute, over all sessions", () => {
    const { client, bearer } = clientOf(alice);
    const keys = Array.from({ length: BUILDS_PER_WINDOW }, (_, n) => `rate-key-${n}`);
    for (const key of keys) assert.equal(outcome(client.build(alice, bearer, {}, key)), "200");
    assert.equal(outcome(client.build(alice, bearer)), "429 OFFLINE_RATE_LIMIT");
    assert.equal(outcome(client.build(alice, client.login(alice))), "429 OFFLINE_RATE_LIMIT");
    assert.equal(outcome(client.build(alice, bearer, {}, keys[0])), "200", "a retry");
    const bob = actor("bob");
    assert.equal(outcome(client.build(bob, client.login(bob))), "200");
    client.now += 59_999;
    assert.equal(outcome(client.build(alice, bearer)), "429 OFFLINE_RATE_LIMIT");
    client.now += 1;
    for (const _ of keys) assert.equal(outcome(client.build(alice, bearer)), "200");
    assert.equal(outcome(client.build(alice, bearer)), "429 OFFLINE_RATE_LIMIT");
  });

  it("does not count refused builds, and a refusal does not use up the key", () => {
    const { client, bearer } = clientOf(alice);
    for (let refused = 0; refused < 10; refused += 1) {
      assert.equal(outcome(client.build(alice, bearer, { name: "" }, KEY)), "400 INVALID_FIELDS");
    }
    assert.equal(outcome(client.build(alice, bearer, {}, KEY)), "200");
    for (let built = 1; built < BUILDS_PER_WINDOW; built += 1)
      assert.equal(outcome(client.build(alice, bearer)), "200");
    assert.equal(outcome(client.build(alice, bearer, {}, "late-key")), "429 OFFLINE_RATE_LIMIT");
    client.now += 60_000;
    assert.equal(outcome(client.build(alice, bearer, {}, "late-key")), "200");
  });
});

describe("capacity of drafts", () => {
  it("refuses new drafts at capacity, still serves retries, and replaces expired drafts, oldest first", () => {
    const { client, bearer } = clientOf(alice, { capacity: { drafts: 2 } });
    const first = JSON.stringify(client.build(alice, bearer, {}, "capacity-1"));
    client.build(alice, bearer, {}, "capacity-2");
    assert.equal(outcome(client.build(alice, bearer, {}, "capacity-3")), "429 OFFLINE_CAPACITY");
    assert.equal(JSON.stringify(client.build(alice, bearer, {}, "capacity-1")), first);
    client.now += 30_000;
    assert.equal(outcome(client.build(alice, bearer, {}, "capacity-1")), "409 REBUILD_WITH_NEW_KEY");
    assert.equal(outcome(client.build(alice, bearer, {}, "capacity-3")), "200");
    assert.equal(outcome(client.build(alice, bearer, {}, "capacity-2")), "409 REBUILD_WITH_NEW_KEY");
    assert.equal(outcome(client.build(alice, bearer, {}, "capacity-1")), "200", "forgotten, and new again");
    assert.equal(outcome(client.build(alice, bearer, {}, "capacity-4")), "429 OFFLINE_CAPACITY");
  });

  it("is checked before the draft is created, and a refusal does not count toward the rate limit", () => {
    const { client, bearer } = clientOf(alice, { capacity: { drafts: 1 } });
    client.build(alice, bearer);
    for (let refused = 0; refused < 10; refused += 1) {
      assert.equal(outcome(client.build(alice, bearer)), "429 OFFLINE_CAPACITY");
    }
    client.now += 30_000;
    assert.equal(outcome(client.build(alice, bearer)), "200");
  });
});

describe("capacity of the rate limiter", () => {
  it("suffices for every creator with a draft stored in the last minute", () => {
    const { client, bearer } = clientOf(alice, { capacity: { drafts: 1 } });
    const bob = actor("bob");
    assert.equal(outcome(client.build(alice, bearer)), "200");
    client.now += 30_000;
    assert.equal(outcome(client.build(bob, client.login(bob))), "200");
  });

  it("refuses a build that cannot be counted", () => {
    const state = {
      ...emptyState({ challenges: 1, sessions: 1, drafts: 1 }, randomBytes),
      limiter: new BuildLimiter(0),
    };
    assert.throws(() => checkRoom(launchOf(alice), KEY, state, 0), { code: "OFFLINE_CAPACITY" });
  });
});

describe("session", () => {
  it("expires after one hour, even if it is used", () => {
    const { client, bearer } = clientOf(alice);
    client.now += 3_599_999;
    assert.equal(outcome(client.build(alice, bearer)), "200");
    client.now += 1;
    assert.equal(outcome(client.build(alice, bearer)), "401 UNAUTHORIZED");
  });
});
