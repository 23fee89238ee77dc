import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { etc, getPublicKey, hash, hashes, Point, sign, utils, verify } from "@noble/ed25519";
import { signatureHolds } from "./ed25519.ts";

hashes.sha512 = (bytes) => new Uint8Array(createHash("sha512").update(bytes).digest());

const ORDER = Point.CURVE().n;
const MESSAGE = new TextEncoder().encode("prove control of a creator key");

/** The points whose order divides the cofactor, 8 (RFC 8032, section 5.1), including the neutral point. */
const SMALL = (() => {
  const generator = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
  return Array.from({ length: 8 }, (_, times) =>
    Array(times)
      .fill(generator)
      .reduce((sum, point) => sum.add(point), Point.ZERO),
  );
})();

const secret = (label: string) => new Uint8Array(createHash("sha256").update(label).digest());
const littleEndian = (value: bigint) => etc.hexToBytes(value.toString(16).padStart(64, "0")).reverse();
const scalar = (bytes: Uint8Array) => BigInt(`0x${etc.bytesToHex(Uint8Array.from(bytes).reverse())}`);

/** Returns S = `nonce` + k × secret scalar (RFC 8032, 5.1.6). k is the hash of `r`, `key`, and message. */
function response(secretKey: Uint8Array, key: Uint8Array, r: Uint8Array, nonce: bigint): Uint8Array {
  const k = scalar(hash(etc.concatBytes(r, key, MESSAGE)));
  return littleEndian((nonce + k * utils.getExtendedPublicKey(secretKey).scalar) % ORDER);
}

/** Proofs, including those on which libraries differ: key or R of small order; key, R, or S not canonical. */
function* proofs(): Generator<{ name: string; signature: Uint8Array; key: Uint8Array }> {
  for (const label of ["one", "two", "three"]) {
    const own = secret(label);
    const key = getPublicKey(own);
    const honest = sign(MESSAGE, own);
    yield { name: "honest", signature: honest, key };
    yield { name: "another's", signature: honest, key: getPublicKey(secret("another")) };
    for (const bit of [0, 5, 254, 255, 256, 300, 504, 508, 509, 510, 511]) {
      const signature = Uint8Array.from(honest);
      signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      yield { name: `bit ${bit} flipped`, signature, key };
    }
    for (const times of [1n, 2n, 7n]) {
      const s = scalar(honest.slice(32)) + times * ORDER;
      yield { name: `S + ${times} L`, signature: etc.concatBytes(honest.slice(0, 32), littleEndian(s)), key };
    }
    for (const [order, small] of SMALL.entries()) {
      const nonce = scalar(secret(`nonce ${label}`)) % ORDER;
      const r = Point.BASE.multiply(nonce).add(small).toBytes();
      yield {
        name: `R with torsion ${order}`,
        signature: etc.concatBytes(r, response(own, key, r, nonce)),
        key,
      };
      const mixed = Point.fromBytes(key).add(small).toBytes();
      const plain = Point.BASE.multiply(nonce).toBytes();
      yield {
        name: `key with torsion ${order}`,
        signature: etc.concatBytes(plain, response(own, mixed, plain, nonce)),
        key: mixed,
      };
      for (const other of SMALL) {
        const signature = etc.concatBytes(other.toBytes(), new Uint8Array(32));
        yield { name: `small R, key of small order ${order}`, signature, key: small.toBytes() };
      }
    }
    const notReduced = Uint8Array.from([0xee, ...new Uint8Array(30).fill(0xff), 0x7f]);
    yield {
      name: "R not canonical",
      signature: etc.concatBytes(notReduced, response(own, key, notReduced, 0n)),
      key,
    };
    yield {
      name: "key not canonical",
      signature: etc.concatBytes(notReduced, new Uint8Array(32)),
      key: notReduced,
    };
    for (const small of SMALL) {
      const key = small.toBytes();
      key[31] = (key[31] ?? 0) ^ 0x80;
      const signature = etc.concatBytes(Point.ZERO.toBytes(), new Uint8Array(32));
      yield { name: "key of small order with the other sign", signature, key };
    }
    yield { name: "key that is not a point", signature: honest, key: new Uint8Array(32).fill(2) };
    yield { name: "signature of zeros", signature: new Uint8Array(64), key };
  }
}

describe("a signature", () => {
  const judged = [...proofs()].map((proof) => ({
    ...proof,
    holds: signatureHolds(proof.signature, MESSAGE, proof.key),
  }));

  test("holds only if it also holds in noble", () => {
    const isWrong = ({ signature, key }: { readonly signature: Uint8Array; readonly key: Uint8Array }) =>
      !verify(signature, MESSAGE, key, { zip215: false });
    assert.deepEqual(
      judged.filter((proof) => proof.holds && isWrong(proof)).map(({ name }) => name),
      [],
    );
  });

  test("holds if it was made as the RFC states, and for no key of small order", () => {
    const holding = new Set(judged.filter(({ holds }) => holds).map(({ name }) => name));
    const honest = judged.filter(({ name }) => ["honest", "R with torsion 0"].includes(name));
    assert.ok(honest.length > 0 && honest.every(({ holds }) => holds));
    for (const name of ["S + 1 L", "small R, key of small order 0", "R not canonical", "key not canonical"])
      assert.ok(!holding.has(name), name);
  });
});
