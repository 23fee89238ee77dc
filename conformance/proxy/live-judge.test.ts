import assert from "node:assert/strict";
import { test } from "node:test";
import { passed } from "../testing/proxy/passed.ts";
import { LiveJudge } from "./live-judge.ts";

const NOTHING_OPEN = Number.POSITIVE_INFINITY;
const ID = "ab".repeat(24);
const CREATOR = "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGC";
const EPOCH_MS = 1_700_000_000_000;

/** A challenge that is given, and verified at these moments with this success. */
const challenge = passed({
  number: 1,
  startedMs: EPOCH_MS,
  method: "POST",
  target: "/v1/auth/challenge",
  body: JSON.stringify({ creator: CREATOR, termsHash: "0".repeat(64) }),
  answer: JSON.stringify({
    id: ID,
    message: `offline-demo ${CREATOR} ${"0".repeat(64)} 2023-11-14T22:14:20.000Z`,
    expiresAt: "2023-11-14T22:14:20.000Z",
    productionApproved: false,
  }),
});
const verified = (number: number, afterMs: number, bearer: string) =>
  passed({
    number,
    startedMs: EPOCH_MS + afterMs,
    method: "POST",
    target: "/v1/auth/verify",
    body: JSON.stringify({ id: ID, signatureBase64: `masked:${number}` }),
    answer: JSON.stringify({
      bearer,
      expiresAt: "2023-11-14T23:13:20.000Z",
      scope: "offline:launch-draft",
      productionApproved: false,
    }),
  });

test("a challenge that is taken twice is told at once, with the request that took it before", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: false });
  assert.deepEqual(judge.take(challenge, NOTHING_OPEN), []);
  assert.deepEqual(judge.take(verified(2, 100, "one-bearer-of-many"), NOTHING_OPEN), []);
  const early = judge.take(verified(3, 200, "another-bearer"), NOTHING_OPEN);
  const told = [...early, ...judge.tick(EPOCH_MS + 400, NOTHING_OPEN)];
  assert.equal(told.length, 1);
  assert.match(
    told[0]?.line ?? "",
    /^CHALLENGE-22 {2}22:13:20\.200 request 3, POST \/v1\/auth\/verify: expected 401 .*, got 200; see request 2$/,
  );
  assert.equal(judge.end().audited.found, 1);
});

test("a refusal for want of a bearer that nobody has to send is told at once: what passes has all its headers", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: false });
  const refused = {
    status: 401,
    answer: JSON.stringify({ code: "UNAUTHORIZED", productionApproved: false }),
  };
  const early = judge.take(passed({ number: 1, startedMs: EPOCH_MS, ...refused }), NOTHING_OPEN);
  const told = [...early, ...judge.tick(EPOCH_MS + 400, NOTHING_OPEN)];
  assert.match(told[0]?.line ?? "", /request 1, GET \/v1\/platform: expected 200, got 401 UNAUTHORIZED/);
});

test("what is judged of a request is judged without those that hang beside it", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: false });
  judge.take(challenge, EPOCH_MS - 1);
  judge.take(passed({ number: 4, startedMs: EPOCH_MS + 50, answer: "{}" }), EPOCH_MS - 1);
  assert.deepEqual(judge.tick(EPOCH_MS + 300, EPOCH_MS - 1), []);
  const told = judge.tick(EPOCH_MS + 900, EPOCH_MS - 1);
  assert.ok(told.length > 0 && told.every(({ line }) => line.includes("request 4, GET /v1/platform")));
});

test("what a server offers beside the contract is not held against the service, a route that must not be is", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: false });
  const sketches = [
    { method: "HEAD", target: "/v1/platform", answer: "" },
    { method: "OPTIONS", target: "/v1/launch/build", status: 204, answer: "" },
    { target: "/healthz", answer: "ok" },
    { target: "/favicon.ico", status: 404, answer: "<html>" },
    { target: "/v1/openapi.json", answer: '{"openapi":"3.1.0"}' },
    { method: "POST", target: "/v1/launch/sign", answer: "{}" },
  ];
  const told = sketches.flatMap((sketch, index) =>
    judge.take(passed({ number: index + 1, startedMs: EPOCH_MS + 10 * index, ...sketch }), NOTHING_OPEN),
  );
  assert.deepEqual([...new Set(told.map(({ line }) => line.split(",")[0]?.slice(-9)))], ["request 6"]);
  const { judged, unknown } = judge.end().audited;
  assert.equal(judged, 1);
  assert.deepEqual(
    unknown.map(({ exchanges }) => exchanges),
    [5],
  );
});

test("what waits at the end is judged at the end", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: false });
  judge.take(passed({ number: 1, startedMs: EPOCH_MS, answer: "[]" }), EPOCH_MS - 1);
  const { exchanges, found } = judge.end().audited;
  assert.equal(exchanges, 1);
  assert.ok(found > 0);
});

test("a request at which the judge itself fails is told once, and the others are judged", () => {
  const judge = new LiveJudge({ facts: {}, name: "traffic", clients: false });
  const impossible = { ...passed(), request: { ...passed().request, headers: undefined as never } };
  const told = [1, 2].flatMap((number) => judge.take({ ...impossible, number }, NOTHING_OPEN));
  judge.take(passed({ number: 3, startedMs: EPOCH_MS, answer: "[]" }), NOTHING_OPEN);
  assert.match(told.map(({ line }) => line).join(), /^the judge failed at request 1, and goes on: [^,]+$/);
  const { audited, stumbled } = judge.end();
  assert.deepEqual([audited.exchanges, stumbled?.exchanges, stumbled?.over], [1, 2, 1]);
});
