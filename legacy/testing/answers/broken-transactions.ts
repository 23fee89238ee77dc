import { keyPairOf } from "../../contract/keys/key-pair.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Body, changed } from "../exchanges.ts";
import type { BrokenAnswer } from "./broken-answer.ts";
import { CREATOR, draftOf, draftWith, MINT, PARTS, ZERO_SIGNATURE } from "./transactions.ts";
import { wireBytes } from "./wire.ts";

const SOMEBODY = keyPairOf("somebody else").address;
const SIGNATURE = new Uint8Array(64).fill(7);
const LAST_BYTE_SET = Uint8Array.from(ZERO_SIGNATURE, (byte, index) => (index === 63 ? 1 : byte));

const signed = (what: string, exchange: Exchange): BrokenAnswer => ({ rule: "DRAFT-12", what, exchange });
const signers = (what: string, exchange: Exchange): BrokenAnswer => ({ rule: "DRAFT-13", what, exchange });
const text = (what: string, base64: string): BrokenAnswer => ({
  rule: "DRAFT-11",
  what,
  exchange: changed("build", (body: Body) => {
    body.unsignedTransactionBase64 = base64;
  }),
});
/** With every digit that differs between the alphabets, and padding. */
const good = wireBytes({ ...PARTS, blockhash: new Uint8Array(32).fill(0xfb) }).toString("base64");

/** Transactions that carry the wrong signatures or ask for the wrong signers, and texts that are not base64. */
export const BROKEN_TRANSACTIONS: readonly BrokenAnswer[] = [
  signed("no signature", draftOf({ signatures: [] })),
  signed("one signature", draftOf({ signatures: [ZERO_SIGNATURE] })),
  signed("three signatures", draftOf({ signatures: [ZERO_SIGNATURE, ZERO_SIGNATURE, ZERO_SIGNATURE] })),
  signed("a first signature", draftOf({ signatures: [SIGNATURE, ZERO_SIGNATURE] })),
  signed("one bit of a second signature", draftOf({ signatures: [ZERO_SIGNATURE, LAST_BYTE_SET] })),
  signed(
    "a signature in a legacy transaction",
    draftOf({ version: "legacy", signatures: [SIGNATURE, SIGNATURE] }),
  ),
  signed(
    "a signature before bytes that are no message",
    draftWith(Buffer.concat([Buffer.from([2]), SIGNATURE, SIGNATURE, Buffer.from("hello")])),
  ),
  signed("nothing after the count", draftWith(Buffer.from([2, 0, 0]))),
  signed("no message after the signatures", draftWith(wireBytes(PARTS).subarray(0, 129))),
  signed("cut within the second signature", draftWith(wireBytes(PARTS).subarray(0, 100))),
  signed(
    "a count of more than anybody signs",
    draftWith(Buffer.concat([Buffer.from([0x82, 0x01]), Buffer.alloc(9_000)])),
  ),
  signed("a text in place of a transaction", draftWith(Buffer.from("not a transaction at all"))),
  signers("the mint is missing", draftOf({ accounts: [CREATOR, SOMEBODY] })),
  signers("the creator is missing", draftOf({ accounts: [SOMEBODY, MINT] })),
  signers("the mint does not sign", draftOf({ required: 1 })),
  signers("a third account signs", draftOf({ required: 3, accounts: [CREATOR, MINT, SOMEBODY] })),
  signers("somebody signs before the mint", draftOf({ accounts: [CREATOR, SOMEBODY, MINT] })),
  signers("nobody signs", draftOf({ required: 0 })),
  signers("more sign than there are accounts", draftOf({ required: 3 })),
  signers("no account signs", draftOf({ accounts: [] })),
  signers("neither an account nor a signer is there", draftOf({ required: 0, accounts: [] })),
  signers("the creator signs twice", draftOf({ accounts: [CREATOR, CREATOR] })),
  signers(
    "the mint is missing from a message that is cut short",
    draftWith(wireBytes({ ...PARTS, accounts: [CREATOR, SOMEBODY] }).subarray(0, -1)),
  ),
  signers(
    "the creator alone signs a message with bytes left over",
    draftWith(Buffer.concat([wireBytes({ ...PARTS, required: 1 }), Buffer.of(0)])),
  ),
  signers(
    "a legacy transaction without the mint",
    draftOf({ version: "legacy", accounts: [CREATOR, SOMEBODY] }),
  ),
  text("not base64", "%%%%"),
  text("base64 without padding", good.replace(/=+$/, "")),
  text("base64 for URLs", good.replaceAll("+", "-").replaceAll("/", "_")),
  text("base64 with a line end", `${good.slice(0, 76)}\n${good.slice(76)}`),
  text("hex", wireBytes(PARTS).toString("hex").slice(1)),
  text("empty", ""),
];
