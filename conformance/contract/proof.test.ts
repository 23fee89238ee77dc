import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import bs58 from "bs58";
import {
  fromLittleEndian,
  GROUP_ORDER,
  keyPairOf,
  signWithNonce,
  verifySignature,
  withOtherCase,
} from "./key-pair.ts";
import { proofText } from "./proof.ts";

const message = Buffer.from("message");

test("both ways of signing are valid, and withOtherCase returns a key that differs only in case", () => {
  const alice = keyPairOf("label");
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), alice.publicKey]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  for (const signature of [alice.sign(message), signWithNonce(alice, message, 3)])
    assert.ok(verify(null, message, key, signature));
  const changed = withOtherCase(alice.address) ?? "";
  assert.ok(changed !== alice.address && changed.toLowerCase() === alice.address.toLowerCase());
  assert.equal(bs58.decode(changed).length, 32);
});

test("a changed proof differs from a valid proof in the way that its option says", () => {
  const spec = { signer: keyPairOf("label"), text: "message", bytes: message };
  const valid = Buffer.from(proofText(spec), "base64");
  const s = (signature: Buffer) => fromLittleEndian(signature.subarray(32));
  const plusL = Buffer.from(proofText({ ...spec, signature: "s-plus-l" }), "base64");
  assert.equal(s(plusL) - s(valid), GROUP_ORDER);
  const spare = proofText({ ...spec, encoding: "spare-bits" });
  assert.ok(spare !== proofText(spec) && Buffer.from(spare, "base64").equals(valid));
  assert.match(proofText({ ...spec, encoding: "url-safe" }), /-.*_|_.*-/);
  assert.equal(Buffer.from(proofText({ ...spec, length: 63 }), "base64").length, 63);
});

test("a repeated verification has the same result, and a caller cannot change a signature for later callers", () => {
  const [alice, bob] = [keyPairOf("label"), keyPairOf("other label")];
  const signature = alice.sign(message);
  const changed = Uint8Array.from(signature, (byte, index) => (index === 40 ? byte ^ 4 : byte));
  for (let round = 0; round < 2; round++) {
    assert.ok(verifySignature(alice.address, message, signature));
    assert.ok(verifySignature(alice.address, message, signWithNonce(alice, message, 3)));
    assert.ok(!verifySignature(alice.address, message, changed));
    assert.ok(!verifySignature(bob.address, message, signature));
    assert.ok(!verifySignature(alice.address, Buffer.from("other message"), signature));
  }
  alice.sign(message).fill(0);
  assert.deepEqual(alice.sign(message), signature);
});
