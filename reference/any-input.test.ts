import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type ErrorCode, STATUS_OF } from "./errors.ts";
import { TERMS_HASH } from "./profile.ts";
import { type Answer, actor, launchOf, outcome, TestClient } from "./testing/test-client.ts";

const SETTINGS = { seed: 20_261_010, numRuns: 3000 };

/** Statuses that each route can answer with (contract, "Errors"). */
const STATUSES: Readonly<Record<string, readonly number[]>> = {
  "GET /v1/platform": [200],
  "POST /v1/auth/challenge": [200, 400, 401, 413, 429],
  "POST /v1/auth/verify": [200, 400, 401, 413, 429],
  "POST /v1/launch/build": [200, 400, 401, 409, 413, 429],
};

const alice = actor("alice");
const client = new TestClient({ capacity: { challenges: 8, sessions: 2, drafts: 64 } });
const bearer = client.login(alice);

function assertDocumented(route: string, { status, body }: Answer): void {
  const statuses = STATUSES[route] ?? [404];
  assert.ok(statuses.includes(status), `${route} answered ${status}`);
  assert.equal(body["productionApproved"], false);
  if (status !== 200) assert.equal(STATUS_OF[body["code"] as ErrorCode], status);
}

const valid = {
  "GET /v1/platform": {},
  "POST /v1/auth/challenge": { creator: alice.creator, termsHash: TERMS_HASH },
  "POST /v1/auth/verify": { id: "0".repeat(48), signatureBase64: `${"A".repeat(86)}==` },
  "POST /v1/launch/build": launchOf(alice),
};

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withTypedArray: true,
  withSparseArray: true,
});

/** Returns the JSON of a valid body with some fields replaced or added. */
function nearly(fields: object): fc.Arbitrary<string> {
  const names = fc.constantFrom("creator", "mint", "name", "uri", "id", "x");
  const values = fc.oneof(fc.string(), fc.jsonValue());
  return fc
    .dictionary(names, values, { maxKeys: 2 })
    .map((changes) => JSON.stringify({ ...fields, ...changes }));
}

const hostile = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.uint8Array({ maxLength: 64 }),
  fc.constantFrom("[".repeat(16_384), `${"[".repeat(8000)}${"]".repeat(8000)}`),
  fc.constantFrom(" ".repeat(16_385), new Uint8Array(16_385)),
  anything,
);

const request = fc.constantFrom(...Object.entries(valid)).chain(([route, fields]) =>
  fc.record({
    route: fc.constant(route),
    body: fc.oneof({ arbitrary: nearly(fields), weight: 3 }, hostile),
    bearer: fc.oneof({ arbitrary: fc.constant(bearer), weight: 3 }, anything),
    idempotencyKey: fc.oneof(
      fc.constant("any-input-key"),
      fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
      anything,
    ),
    elapsed: fc.nat({ max: 300 }),
  }),
);

describe("any input", () => {
  it("gets a status and a code of its route", () => {
    const seen = new Set<string>();
    const property = fc.property(request, ({ route, elapsed, ...rest }) => {
      client.now += elapsed;
      const [method, path] = route.split(" ");
      const answer = client.handle({ method, path, ...rest });
      assertDocumented(route, answer);
      seen.add(`${path} ${outcome(answer)}`);
    });
    fc.assert(property, SETTINGS);
    for (const reached of [
      "/v1/auth/challenge 200",
      "/v1/auth/challenge 400 INVALID_CREATOR",
      "/v1/auth/verify 401 EXPIRED_OR_USED_CHALLENGE",
      "/v1/launch/build 200",
      "/v1/launch/build 400 INVALID_FIELDS",
      "/v1/launch/build 400 IDEMPOTENCY_REQUIRED",
      "/v1/launch/build 401 UNAUTHORIZED",
      "/v1/launch/build 409 REBUILD_WITH_NEW_KEY",
      "/v1/launch/build 413 BODY_TOO_LARGE",
      "/v1/launch/build 429 OFFLINE_RATE_LIMIT",
    ]) {
      assert.ok(seen.has(reached), `${reached} was never reached`);
    }
  });

  it("gets a response even if it is not a request", () => {
    const property = fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (argument) => {
      assertDocumented("none", client.handle(argument));
    });
    fc.assert(property, SETTINGS);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const argument of [undefined, null, 0, "", Symbol("x"), proxy, () => {}]) {
      assertDocumented("none", client.handle(argument));
    }
  });

  it("gets a response even if reading a member throws", () => {
    for (const name of ["method", "path", "body", "bearer", "idempotencyKey"]) {
      const whole = {
        method: "POST",
        path: "/v1/launch/build",
        body: JSON.stringify(launchOf(alice)),
        bearer,
        idempotencyKey: "throwing-key",
      };
      const throwing = Object.defineProperty({ ...whole }, name, {
        get() {
          throw new Error("no");
        },
      });
      const answer = client.handle(throwing);
      assertDocumented(answer.status === 404 ? "none" : "POST /v1/launch/build", answer);
      assert.notEqual(answer.status, 200);
    }
  });

  it("stays unchanged", () => {
    for (const [route, fields] of Object.entries(valid)) {
      const [method, path] = route.split(" ");
      const bytes = new TextEncoder().encode(JSON.stringify(fields));
      const request = Object.freeze({ method, path, body: bytes, bearer, idempotencyKey: "frozen-key" });
      const before = Uint8Array.from(bytes);
      assertDocumented(route, client.handle(request));
      assert.deepEqual(bytes, before);
    }
  });
});
