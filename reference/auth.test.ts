import assert from "node:assert/strict";
import { describe, it } from "node:test";
import bs58 from "bs58";
import { PROGRAM_ADDRESS, TERMS_HASH } from "./profile.ts";
import { type Actor, actor, outcome, proofBy, TestClient } from "./testing/test-client.ts";

const alice = actor("alice");

/** Order of the base point (RFC 8032, section 5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

describe("challenge", () => {
  it("names creator, audience, terms hash and expiry", () => {
    const { body } = new TestClient().challenge(alice);
    assert.match(String(body["id"]), /^[a-f0-9]{48}$/);
    assert.equal(body["expiresAt"], "2026-01-01T12:01:00.250Z");
    for (const part of [alice.creator, "offline-demo", TERMS_HASH, String(body["expiresAt"])]) {
      assert.ok(String(body["message"]).includes(part), part);
    }
  });

  const refused: Readonly<Record<string, readonly [outcome: string, body: unknown]>> = {
    "no creator": ["400 INVALID_DEMO_TERMS_OR_FIELDS", { termsHash: TERMS_HASH }],
    "an extra field": [
      "400 INVALID_DEMO_TERMS_OR_FIELDS",
      { creator: alice.creator, termsHash: TERMS_HASH, x: "" },
    ],
    "another terms hash": [
      "400 INVALID_DEMO_TERMS_OR_FIELDS",
      { creator: alice.creator, termsHash: "0".repeat(64) },
    ],
    "a creator of 31 bytes": ["400 INVALID_CREATOR", { creator: "1".repeat(31), termsHash: TERMS_HASH }],
    "text that is not JSON": ["400 INVALID_JSON_BODY", "{"],
    "a body that is too large": ["413 BODY_TOO_LARGE", " ".repeat(16_385)],
  };
  for (const [what, [expected, body]] of Object.entries(refused)) {
    it(`is refused for ${what}`, () => {
      assert.equal(outcome(new TestClient().post("/v1/auth/challenge", body)), expected);
    });
  }
});

describe("proof", () => {
  it("opens one session of one hour", () => {
    const client = new TestClient();
    const challenge = client.challenge(alice);
    const signature = proofBy(alice, challenge.body["message"]);
    const { status, body } = client.verify(challenge, signature);
    assert.equal(status, 200);
    assert.match(String(body["bearer"]), /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(
      { ...body, bearer: "" },
      {
        bearer: "",
        expiresAt: "2026-01-01T13:00:00.250Z",
        scope: "offline:launch-draft",
        productionApproved: false,
      },
    );
    assert.equal(outcome(client.verify(challenge, signature)), "401 EXPIRED_OR_USED_CHALLENGE");
  });

  it("is accepted while the challenge is younger than 60 s", () => {
    for (const [elapsed, expected] of [
      [59_999, "200"],
      [60_000, "401 EXPIRED_OR_USED_CHALLENGE"],
    ] as const) {
      const client = new TestClient();
      const challenge = client.challenge(alice);
      client.now += elapsed;
      assert.equal(outcome(client.verify(challenge, proofBy(alice, challenge.body["message"]))), expected);
    }
  });

  it("uses up its own challenge, but no other challenge, if the proof is invalid", () => {
    const client = new TestClient();
    const [first, second] = [client.challenge(alice), client.challenge(alice)];
    assert.equal(
      outcome(client.verify(first, proofBy(actor("mallory"), first.body["message"]))),
      "401 INVALID_PROOF",
    );
    const honest = proofBy(alice, first.body["message"]);
    assert.equal(outcome(client.verify(first, honest)), "401 EXPIRED_OR_USED_CHALLENGE");
    assert.equal(outcome(client.verify(second, proofBy(alice, second.body["message"]))), "200");
  });

  it("does not use up the challenge if the text of the proof is malformed", () => {
    const client = new TestClient();
    const challenge = client.challenge(alice);
    const good = proofBy(alice, challenge.body["message"]);
    const spareBits = `${good.slice(0, 85)}${good[85] === "A" ? "B" : String.fromCharCode((good.codePointAt(85) ?? 0) + 1)}==`;
    const malformed = [
      "",
      "!",
      good.slice(0, 86),
      `${good}\n`,
      ` ${good}`,
      good.replace("==", "="),
      spareBits,
    ];
    const sizes = [63, 65].map((length) => Buffer.alloc(length).toString("base64"));
    for (const text of [...malformed, ...sizes])
      assert.equal(outcome(client.verify(challenge, text)), "400 INVALID_FIELDS");
    assert.equal(outcome(client.verify(challenge, good)), "200");
  });

  it("is refused with S + L in place of S (RFC 8032, 5.1.7)", () => {
    const client = new TestClient();
    const challenge = client.challenge(alice);
    const signature = Buffer.from(proofBy(alice, challenge.body["message"]), "base64");
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`);
    Buffer.from((s + L).toString(16).padStart(64, "0"), "hex")
      .reverse()
      .copy(signature, 32);
    assert.equal(outcome(client.verify(challenge, signature.toString("base64"))), "401 INVALID_PROOF");
  });

  it("is refused for keys that anyone can sign for, and for keys that are not points", () => {
    const identity = Buffer.alloc(32, 0).fill(1, 0, 1);
    const forged = Buffer.concat([identity, Buffer.alloc(32)]).toString("base64");
    // The neutral point (order 1), zeros (order 4), and a value off the curve.
    for (const creator of [bs58.encode(identity), "1".repeat(32), PROGRAM_ADDRESS]) {
      const client = new TestClient();
      const challenge = client.challenge({ creator } as Actor);
      assert.equal(challenge.status, 200, creator);
      assert.equal(outcome(client.verify(challenge, forged)), "401 INVALID_PROOF", creator);
    }
  });

  it("is refused for missing, extra, or malformed fields", () => {
    const id = "0".repeat(48);
    const signatureBase64 = proofBy(alice, "text");
    const bodies = [
      { id },
      { signatureBase64 },
      { id, signatureBase64, x: "" },
      { id: 5, signatureBase64 },
      { id: "0".repeat(47), signatureBase64 },
      { id: "0".repeat(49), signatureBase64 },
      { id: "A".repeat(48), signatureBase64 },
      { id: `${id}\n`, signatureBase64 },
    ];
    for (const body of bodies) {
      assert.equal(
        outcome(new TestClient().post("/v1/auth/verify", body)),
        "400 INVALID_FIELDS",
        JSON.stringify(body),
      );
    }
  });

  it("is refused for an id that was never issued, or issued before a restart", () => {
    const challenge = new TestClient().challenge(alice);
    const answer = new TestClient().verify(challenge, proofBy(alice, challenge.body["message"]));
    assert.equal(outcome(answer), "401 EXPIRED_OR_USED_CHALLENGE");
  });
});

describe("capacity of challenges and sessions", () => {
  it("keeps stored challenges and refuses new ones at capacity, until one expires or is used", () => {
    const client = new TestClient({ capacity: { challenges: 3 } });
    const first = client.challenge(alice);
    client.now += 1000;
    const rest = [client.challenge(alice), client.challenge(alice)];
    assert.equal(outcome(client.challenge(alice)), "429 OFFLINE_CAPACITY");
    client.now += 59_000;
    assert.equal(outcome(client.challenge(alice)), "200", "the first one's room");
    assert.equal(outcome(client.challenge(alice)), "429 OFFLINE_CAPACITY");
    assert.equal(
      outcome(client.verify(first, proofBy(alice, first.body["message"]))),
      "401 EXPIRED_OR_USED_CHALLENGE",
    );
    for (const challenge of rest.slice(0, 1)) {
      assert.equal(outcome(client.verify(challenge, proofBy(alice, challenge.body["message"]))), "200");
    }
    assert.equal(outcome(client.challenge(alice)), "200", "a used challenge's room");
  });

  it("keeps stored sessions and refuses new ones at capacity, until one expires", () => {
    const client = new TestClient({ capacity: { sessions: 1 } });
    const bearer = client.login(alice);
    const challenge = client.challenge(alice);
    const proof = proofBy(alice, challenge.body["message"]);
    assert.equal(outcome(client.verify(challenge, proof)), "429 OFFLINE_CAPACITY");
    assert.equal(outcome(client.build(alice, bearer)), "200");
    client.now += 3_600_000;
    assert.equal(outcome(client.build(alice, client.login(alice))), "200");
    assert.equal(outcome(client.build(alice, bearer)), "401 UNAUTHORIZED");
  });
});
