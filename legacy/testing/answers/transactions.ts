import { createHash } from "node:crypto";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Body, changed, GOOD } from "../exchanges.ts";
import { type WireParts, wireBytes } from "./wire.ts";

export const ZERO_SIGNATURE = new Uint8Array(64);
export const [CREATOR, MINT] = GOOD.build.body["requiredSigners"] as [string, string];

/** A transaction as the contract has it. */
export const PARTS: WireParts = {
  signatures: [ZERO_SIGNATURE, ZERO_SIGNATURE],
  version: 0,
  required: 2,
  accounts: [CREATOR, MINT],
  blockhash: new Uint8Array(32),
};

/** A good draft with another transaction, and the hash that belongs to it. */
export function draftWith(bytes: Uint8Array): Exchange {
  return changed("build", (body: Body) => {
    body.unsignedTransactionBase64 = Buffer.from(bytes).toString("base64");
    body.messageHash = createHash("sha256")
      .update(bytes.subarray(1 + 2 * 64))
      .digest("hex");
  });
}

/** A good draft whose transaction differs in these parts. */
export function draftOf(parts: Partial<WireParts>): Exchange {
  return draftWith(wireBytes({ ...PARTS, ...parts }));
}
