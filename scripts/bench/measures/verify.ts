import { generateKeyPairSync, sign, verify as verifyByNode } from "node:crypto";
import { verify as verifyByNoble } from "@noble/ed25519";
import { signatureHolds } from "../../../reference/ed25519.ts";
import { timeOf } from "../functions.ts";
import { type Measure, ratio } from "../measure.ts";
import { nodesKey } from "../services/nodes-verifier.ts";

const REFERENCE = "reference";
const NODE = "node:crypto";

/** What the reference takes to see that an honest signature holds. */
export const verify: Measure = {
  id: "reference/verify",
  title: "verify by the reference / node:crypto's verify, key imported at each call",
  bar: { atMost: 1.5 },
  async open() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const key = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"));
    const message = new Uint8Array(Buffer.from("prove control of a creator key ".repeat(10)));
    const signature = new Uint8Array(sign(null, message, privateKey));
    return {
      sides: [
        { name: REFERENCE, unit: "s", sample: () => timeOf(() => signatureHolds(signature, message, key)) },
        {
          name: NODE,
          unit: "s",
          sample: () => timeOf(() => verifyByNode(null, message, nodesKey(key), signature)),
        },
        { name: "noble", unit: "s", sample: () => timeOf(() => verifyByNoble(signature, message, key)) },
      ],
      figure: ratio(REFERENCE, NODE),
    };
  },
};
