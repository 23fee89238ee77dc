import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { Point } from "@noble/ed25519";
import bs58 from "bs58";
import { type EdgeCaseSignature, edgeCaseSignature, keyPairOfActor, UNUSUAL_ACTORS } from "./edge-case.ts";
import {
  challengeScalar,
  decodePoint,
  fromLittleEndian,
  GROUP_ORDER,
  type KeyPair,
  signWithNonce,
  withOtherCase,
} from "./key-pair.ts";
import { proofText } from "./proof.ts";

const message = Buffer.from("message");

/**
 * Checks SB = R + kA (RFC 8032, section 5.1.7).
 * @param reencoded whether k hashes canonical encodings
 * @returns the order of the difference of both sides: 1 if the equation holds, 2 to 8 if only the equation
 * with the cofactor holds, undefined if neither does
 */
function orderOfDifference(pair: KeyPair, signature: Uint8Array, reencoded = false): number | undefined {
  const [r, key] = [signature.slice(0, 32), pair.publicKey];
  const [pointR, pointA] = [decodePoint(r), decodePoint(key)];
  assert.ok(pointR && pointA);
  const hashed = reencoded ? { r: pointR.toBytes(), key: pointA.toBytes() } : { r, key };
  const k = challengeScalar(hashed, message);
  const s = fromLittleEndian(signature.slice(32));
  const left = s === 0n ? Point.ZERO : Point.BASE.multiply(s);
  const difference = left.add(pointR.add(pointA.multiply(k, false)).negate());
  return [1, 2, 4, 8].find((order) => difference.multiply(BigInt(order), false).equals(Point.ZERO));
}

for (const [kind, actor, reencoded, fits] of [
  ["r-of-small-order", "alice", false, (order) => order === 1],
  ["r-not-canonical", "alice", false, (order) => order === 1],
  ["r-not-canonical-reencoded", "alice", true, (order) => order === 1],
  ["r-sign-of-zero", "alice", false, (order) => order === 1],
  ["r-sign-of-zero-reencoded", "alice", true, (order) => order === 1],
  ["r-with-torsion", "alice", false, (order) => order === 8],
  ["r-with-torsion", "mixed-order", false, (order) => order !== undefined && order > 1],
  ["torsion-of-the-key", "mixed-order", false, (order) => order !== undefined && order > 1],
  ["torsion-cancels", "mixed-order", false, (order) => order === 1],
  ["torsion-cancels", "small-order", false, (order) => order === 1],
  ["torsion-cancels", "y-not-reduced", false, (order) => order === 1],
  ["torsion-cancels", "sign-of-zero", false, (order) => order === 1],
  ["torsion-cancels-reencoded", "y-not-reduced", true, (order) => order === 1],
  ["torsion-cancels-reencoded", "sign-of-zero", true, (order) => order === 1],
] as readonly [EdgeCaseSignature, string, boolean, (order: number | undefined) => boolean][]) {
  test(`${kind} by ${actor} has the small-order component that it is named after`, () => {
    const pair = keyPairOfActor(actor, "label");
    const signature = edgeCaseSignature(pair, kind, message);
    assert.ok(fits(orderOfDifference(pair, signature, reencoded)));
    // Only one of the two encodings gives a valid signature.
    const isReencodable = kind.includes("reencoded") || kind.includes("canonical") || kind.includes("zero");
    if (isReencodable) assert.notEqual(orderOfDifference(pair, signature, !reencoded), 1);
  });
}

test("a regular pair signs by either way, and unusual keys are as they are named", () => {
  const alice = keyPairOfActor("alice", "label");
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), alice.publicKey]);
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  for (const signature of [alice.sign(message), signWithNonce(alice, message, 3)])
    assert.ok(verify(null, message, key, signature));
  assert.equal(keyPairOfActor("leading-zero", "label").publicKey[0], 0);
  for (const actor of UNUSUAL_ACTORS.filter((name) => name !== "leading-zero"))
    assert.equal(decodePoint(keyPairOfActor(actor, "label").publicKey)?.isTorsionFree(), false, actor);
  const changed = withOtherCase(alice.address) ?? "";
  assert.ok(changed !== alice.address && changed.toLowerCase() === alice.address.toLowerCase());
  assert.equal(bs58.decode(changed).length, 32);
});

test("changed proofs differ from a valid one as they are named", () => {
  const spec = { signer: keyPairOfActor("alice", "label"), text: "message", bytes: message };
  const valid = Buffer.from(proofText(spec), "base64");
  const s = (signature: Buffer) => fromLittleEndian(signature.subarray(32));
  const plusL = Buffer.from(proofText({ ...spec, signature: "s-plus-l" }), "base64");
  assert.equal(s(plusL) - s(valid), GROUP_ORDER);
  const spare = proofText({ ...spec, encoding: "spare-bits" });
  assert.ok(spare !== proofText(spec) && Buffer.from(spare, "base64").equals(valid));
  assert.match(proofText({ ...spec, encoding: "url-safe" }), /-.*_|_.*-/);
  assert.equal(Buffer.from(proofText({ ...spec, length: 63 }), "base64").length, 63);
});
