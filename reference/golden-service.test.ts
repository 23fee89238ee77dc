import assert from "node:assert/strict";
import { test } from "node:test";
import { createService, facts } from "./golden-service.ts";
import { TERMS_HASH } from "./profile.ts";
import { type Answer, actor } from "./testing/test-client.ts";

const body = JSON.stringify({ creator: actor("alice").creator, termsHash: TERMS_HASH });
const request = { method: "POST", path: "/v1/auth/challenge", body };

/** Returns the IDs of the first challenges of a service that starts at the given time. */
function ids(startMs: number, count: number): readonly unknown[] {
  const service = createService({ now: () => startMs });
  return Array.from({ length: count }, () => (service.handle(request) as Answer).body["id"]);
}

test("equal start times give equal IDs, different start times give different IDs, and no ID repeats", () => {
  assert.deepEqual(ids(1_000, 4), ids(1_000, 4));
  const all = [...ids(1_000, 4), ...ids(1_001, 4)];
  assert.equal(new Set(all).size, all.length);
  for (const id of all) assert.match(String(id), /^[a-f0-9]{48}$/);
});

test("the capacity for challenges is the stated capacity", () => {
  const given = ids(1_000, facts.capacity.challenges + 1);
  assert.equal(given.filter((id) => id !== undefined).length, facts.capacity.challenges);
});
