import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import bs58 from "bs58";
import { keyPairOf } from "../keys/key-pair.ts";
import { messageBytes } from "../keys/message-bytes.ts";
import { ODD_PEOPLE, oddKeyPair } from "../keys/odd-key.ts";
import { oddSignature } from "../keys/odd-signature.ts";
import { proofText, type SignatureChange } from "../keys/proof.ts";
import { ROUTES } from "../operations.ts";
import { ProofWatch } from "./proofs.ts";

type Watched = Parameters<ProofWatch["take"]>[0];

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const creator = bs58.encode(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
const id = "ab".repeat(24);
const message = "sign me";

const challenge = (startedMs: number, of = id): Watched => ({
  startedMs,
  request: { ...ROUTES.challenge, body: JSON.stringify({ creator }) },
  response: { status: 200, body: JSON.stringify({ id: of, message }) },
});
const verify = (signatureBase64: string, of = id): Watched => ({
  startedMs: 2,
  request: { ...ROUTES.verify, body: JSON.stringify({ id: of, signatureBase64 }) },
});
const honest = sign(null, Buffer.from(message), privateKey);
const signature = honest.toString("base64");

test("a proof of a challenge that passed is weighed", () => {
  const watch = new ProofWatch("utf8");
  assert.equal(watch.take(verify(signature)), undefined);
  assert.equal(watch.take(challenge(1)), undefined);
  assert.equal(watch.take(verify(signature)), "holds");
  const wrong = sign(null, Buffer.from("sign me not"), privateKey).toString("base64");
  assert.equal(watch.take(verify(wrong)), "fails");
  assert.equal(watch.take(verify(signature, "cd".repeat(24))), undefined);
});

test("what is no signature is said to be none, and what nobody can weigh is not weighed", () => {
  const watch = new ProofWatch("utf8");
  watch.take(challenge(1));
  assert.equal(watch.take(verify("AAAA")), "unread");
  assert.equal(watch.take(verify(signature.replace(/=+$/, ""))), undefined);
  assert.equal(watch.take({ ...verify(""), request: { ...ROUTES.verify, body: "{" } }), "unread");
  const byAdapter = new ProofWatch("adapter");
  byAdapter.take(challenge(1));
  assert.equal(byAdapter.take(verify(signature)), undefined);
});

test("where nobody states what is signed, a proof fails only once the service was seen to take another", () => {
  for (const form of ["sha256", "utf8"] as const) {
    const watch = new ProofWatch(undefined);
    watch.take(challenge(1));
    const proofOver = (bytes: Uint8Array) => verify(sign(null, bytes, privateKey).toString("base64"));
    assert.equal(watch.take(proofOver(Buffer.from("another"))), undefined);
    const good = proofOver(messageBytes(message, form));
    assert.equal(watch.take(good), undefined);
    assert.equal(watch.take({ ...good, response: { status: 200 } }), "holds");
    assert.equal(watch.take(proofOver(Buffer.from("yet another"))), "fails");
  }
});

test("what honest libraries differ on is neither held nor failed", () => {
  const signed = Buffer.from(message);
  const alice = keyPairOf("alice");
  const odd: readonly SignatureChange[] = ["s-plus-l", "s-top-bit-set"];
  for (const [creator, proof] of [
    ...ODD_PEOPLE.map((name) => oddKeyPair(name, "odd")).map(
      (pair) => [pair.address, pair.sign(signed)] as const,
    ),
    ...odd.map((change) => {
      const text = proofText({ signer: alice, text: message, signedBytes: "utf8", signature: change });
      return [alice.address, Buffer.from(text, "base64")] as const;
    }),
    [alice.address, oddSignature(alice, "r-of-small-order", signed)] as const,
  ]) {
    const watch = new ProofWatch(undefined);
    watch.take({
      ...challenge(1),
      request: { ...ROUTES.challenge, body: JSON.stringify({ creator }) },
    });
    const seen = watch.take(verify(Buffer.from(proof).toString("base64")));
    assert.equal(seen, undefined, creator);
  }
});

test("a challenge is forgotten long after its life", () => {
  const watch = new ProofWatch("utf8");
  watch.take(challenge(1));
  watch.take(challenge(700_000, "ef".repeat(24)));
  assert.equal(watch.take(verify(signature)), undefined);
});
