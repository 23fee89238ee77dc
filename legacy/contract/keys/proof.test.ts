import assert from "node:assert/strict";
import { createHash, createPublicKey, verify as verifyByOpenSsl } from "node:crypto";
import { test } from "node:test";
import { hashes, utils, verify } from "@noble/ed25519";
import bs58 from "bs58";
import { challengeScalar, GROUP_ORDER, keyPairOf } from "./key-pair.ts";
import { messageBytes } from "./message-bytes.ts";
import { type ProofSpec, proofText } from "./proof.ts";

hashes.sha512 = (bytes) => Uint8Array.from(createHash("sha512").update(bytes).digest());

const alice = keyPairOf("alice");
const KEY = Uint8Array.from(bs58.decode(alice.address));
const TEXT = "prove it: é";

const proof = (spec: Partial<ProofSpec> = {}) =>
  proofText({ signer: alice, text: TEXT, signedBytes: "utf8", ...spec });
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
/** Strict verification (RFC 8032, 5.1.7). */
const holds = (signature: Uint8Array, message = messageBytes(TEXT, "utf8"), key = KEY) =>
  verify(signature, message, key, { zip215: false });

test("a label stands for one key pair, of 32 bytes", () => {
  assert.equal(keyPairOf("alice").address, alice.address);
  assert.notEqual(keyPairOf("bob").address, alice.address);
  assert.equal(KEY.length, utils.randomSecretKey().length);
});

test("an honest proof holds, as standard base64 of 64 bytes", () => {
  assert.match(proof(), /^[A-Za-z0-9+/]{86}==$/);
  assert.equal(holds(bytesOf(proof())), true);
  assert.equal(proof(), proof());
});

for (const [signedBytes, text] of [
  ["utf8", "prove é"],
  ["hex", "00ff7f"],
  ["base64", "AP9/"],
] as const) {
  test(`a message is signed as ${signedBytes}`, () => {
    const message = messageBytes(text, signedBytes);
    assert.equal(holds(bytesOf(proof({ text, signedBytes })), message), true);
    if (signedBytes !== "utf8") assert.deepEqual([...message], [0, 255, 127]);
  });
}

test("a message is signed as its SHA-256, or as the adapter tells", () => {
  const hashed = new Uint8Array(createHash("sha256").update(TEXT).digest());
  assert.equal(holds(bytesOf(proof({ signedBytes: "sha256" })), hashed), true);
  const bytes = Uint8Array.from([1, 2, 3]);
  assert.equal(holds(bytesOf(proof({ signedBytes: "adapter", bytes })), bytes), true);
});

test("another form of the message is its text, or the hex of it where the text is what is signed", () => {
  const signed = (signedBytes: ProofSpec["signedBytes"]) =>
    bytesOf(proof({ signedBytes, message: "other-form" }));
  const text = messageBytes(TEXT, "utf8");
  assert.equal(holds(signed("sha256"), text), true);
  assert.equal(holds(signed("utf8"), text), false);
  assert.equal(holds(signed("utf8"), Buffer.from(Buffer.from(TEXT).toString("hex"))), true);
});

test("an odd signature that a key has none of is refused", () => {
  assert.throws(() => proof({ signature: "torsion-cancels" }), /needs a key with a part of small order/);
});

for (const message of ["first-byte-changed", "last-byte-changed", "byte-added", "byte-dropped"] as const) {
  test(`a proof over a message with ${message} does not hold, and is otherwise well formed`, () => {
    const signature = bytesOf(proof({ message }));
    assert.equal(signature.length, 64);
    assert.equal(holds(signature), false);
  });
}

for (const signature of [
  "r-bit-flipped",
  "s-bit-flipped",
  "s-plus-l",
  "s-plus-most-l",
  "r-no-point",
  "all-zero",
  "halves-swapped",
] as const) {
  test(`a proof with ${signature} does not hold, and is 64 bytes`, () => {
    const bytes = bytesOf(proof({ signature }));
    assert.equal(bytes.length, 64);
    assert.equal(holds(bytes), false);
  });
}

test("s-plus-l is the honest signature with L added to S: only the check of its range refuses it", () => {
  const number = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
  const honest = bytesOf(proof());
  const raised = bytesOf(proof({ signature: "s-plus-l" }));
  assert.deepEqual(raised.slice(0, 32), honest.slice(0, 32));
  assert.equal(number(raised.slice(32)), number(honest.slice(32)) + GROUP_ORDER);
});

for (const [what, spec] of [
  ["another key", { signer: keyPairOf("mallory") }],
  ["another text", { text: `${TEXT}.` }],
] as const) {
  test(`a proof by or over ${what} does not hold`, () => assert.equal(holds(bytesOf(proof(spec))), false));
}

for (const length of [0, 1, 32, 63, 65, 128]) {
  test(`a signature can be made ${length} bytes long`, () => {
    const bytes = bytesOf(proof({ length }));
    assert.equal(bytes.length, length);
    assert.deepEqual(bytes.slice(0, 64), bytesOf(proof()).slice(0, length));
  });
}

for (const [encoding, pattern] of [
  ["unpadded", /^[A-Za-z0-9+/]{86}$/],
  ["white-space", /^.{44}\n.{44}$/],
  ["outside-alphabet", /^.{44}!.{44}$/],
  ["spare-bits", /^[A-Za-z0-9+/]{86}==$/],
] as const) {
  test(`base64 with ${encoding} stands for the honest signature, in another text`, () => {
    assert.match(proof({ encoding }), pattern);
    assert.notEqual(proof({ encoding }), proof());
    assert.deepEqual(bytesOf(proof({ encoding })), bytesOf(proof()));
  });
}

test("url-safe is a signature that holds, in a text that shows the alphabet", () => {
  const text = proof({ encoding: "url-safe" });
  assert.match(text, /^(?=.*-)(?=.*_)[A-Za-z0-9_-]{86}==$/);
  assert.equal(holds(bytesOf(text)), true);
});

for (const signature of ["r-with-torsion", "r-not-canonical"] as const) {
  test(`${signature} holds by the loose equation (ZIP 215), and not by OpenSSL's`, () => {
    const bytes = bytesOf(proof({ signature }));
    const x = Buffer.from(KEY).toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    assert.equal(verify(bytes, messageBytes(TEXT, "utf8"), KEY, { zip215: true }), true);
    assert.equal(verifyByOpenSsl(null, messageBytes(TEXT, "utf8"), key, bytes), false);
    assert.equal(verifyByOpenSsl(null, messageBytes(TEXT, "utf8"), key, bytesOf(proof())), true);
  });
}

test("hex is no base64 of the signature", () => {
  const text = proof({ encoding: "hex" });
  assert.match(text, /^[0-9a-f]{128}$/);
  assert.deepEqual(Uint8Array.from(Buffer.from(text, "hex")), bytesOf(proof()));
  assert.notEqual(bytesOf(text).length, 64);
});

test("what a service in the same process gives noble as its hash changes no key and no proof", (context) => {
  const made = () => {
    const { address, signWith } = keyPairOf("carol");
    const r = new Uint8Array(32).fill(7);
    return [address, signWith(KEY, r, 5n), challengeScalar({ r, key: KEY }, KEY)];
  };
  const before = made();
  const { sha512 } = hashes;
  context.after(() => Object.assign(hashes, { sha512 }));
  Object.assign(hashes, { sha512: () => new Uint8Array(64) });
  assert.deepEqual(made(), before);
});
