import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import bs58 from "bs58";
import { readYaml } from "../../engine/data/yaml-source.ts";
import { keyPairOf } from "../keys/key-pair.ts";
import { oddKeyPair } from "../keys/odd-key.ts";
import { type ProofSpec, proofText } from "../keys/proof.ts";
import { proofWeigher } from "./proof-holds.ts";

const alice = keyPairOf("alice");
const mixed = oddKeyPair("mixed-order", "alice");
const small = oddKeyPair("small-order", "alice");
const TEXT = "prove it";

const weigh = (spec: Partial<ProofSpec>, creator = (spec.signer ?? alice).address) => {
  const text = proofText({ signer: alice, text: TEXT, signedBytes: "utf8", ...spec });
  return proofWeigher()(creator, Buffer.from(TEXT), new Uint8Array(Buffer.from(text, "base64")));
};
const open = (point: string) => ({ point });

const { cases } = readYaml(fileURLToPath(new URL("speccheck.yaml", import.meta.url))).value as {
  readonly cases: readonly Readonly<Record<"what" | "point" | "message" | "key" | "signature", string>>[];
};
for (const { what, point, message, key, signature } of cases) {
  test(`the published case of ${what} is open`, () => {
    const address = bs58.encode(Buffer.from(key, "hex"));
    const weighed = proofWeigher()(address, Buffer.from(message, "hex"), Buffer.from(signature, "hex"));
    assert.deepEqual(weighed, { point });
  });
}

const WEIGHED: readonly (readonly [string, Partial<ProofSpec>, ReturnType<typeof weigh>])[] = [
  ["an honest proof", {}, "yes"],
  ["an honest proof that the key pair did not make here", { encoding: "url-safe" }, "yes"],
  ["a flipped bit of S", { signature: "s-bit-flipped" }, "no"],
  ["a flipped bit of R", { signature: "r-bit-flipped" }, "no"],
  ["an R that is no point", { signature: "r-no-point" }, "no-signature"],
  ["an S with its top bit set", { signature: "s-top-bit-set" }, "no-signature"],
  ["S plus L", { signature: "s-plus-l" }, open("UNREDUCED-SCALAR")],
  ["S plus most L", { signature: "s-plus-most-l" }, open("UNREDUCED-SCALAR-TOP-BITS")],
  ["zeros", { signature: "all-zero" }, "no"],
  ["another message", { message: "byte-added" }, "no"],
  ["an R with torsion", { signature: "r-with-torsion" }, open("MIXED-ORDER-KEY")],
  ["a small R", { signature: "r-of-small-order" }, open("SMALL-ORDER-R")],
  ["an odd R", { signature: "r-not-canonical" }, open("NON-CANONICAL-POINT")],
  ["an odd R, mended", { signature: "r-sign-of-zero-reencoded" }, open("REENCODED-R")],
  ["a mixed key", { signer: mixed, signature: "torsion-of-the-key" }, open("MIXED-ORDER-KEY")],
  ["a mixed key that cancels", { signer: mixed, signature: "torsion-cancels" }, open("MIXED-ORDER-CANCELS")],
  ["a small key", { signer: small, signature: "torsion-cancels" }, open("SMALL-ORDER-KEY")],
];
for (const [what, spec, expected] of WEIGHED)
  test(`${what} weighs ${JSON.stringify(expected)}`, () => assert.deepEqual(weigh(spec), expected));

test("no signature holds for another creator, nor for one that is no point", () => {
  assert.equal(weigh({}, keyPairOf("bob").address), "no");
  assert.equal(weigh({}, "8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh"), "no-key");
});
