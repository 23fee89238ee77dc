import type { Address } from "@solana/addresses";
import { AccountRole } from "@solana/instructions";
import {
  appendTransactionMessageInstruction,
  createTransactionMessage,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/transaction-messages";
import { compileTransaction, getTransactionEncoder } from "@solana/transactions";
import type { LaunchRequest } from "./launch-request.ts";
import { PROGRAM_ADDRESS } from "./profile.ts";

type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];

/** 32 zero bytes: no block has this hash, so no cluster takes the transaction. */
const PLACEHOLDER_LIFETIME: Lifetime = {
  blockhash: "11111111111111111111111111111111" as Lifetime["blockhash"],
  lastValidBlockHeight: 0n,
};

const ENCODER = getTransactionEncoder();

/** A launch transaction: its message, and the whole of it as it would go over the wire. */
export interface UnsignedTransaction {
  readonly messageBytes: Uint8Array;
  readonly wireBytes: Uint8Array;
}

/**
 * The launch as a version 0 Solana transaction with two empty signature slots: the creator's, who pays the fee, and
 * the mint's. It calls a program that exists nowhere. The same request always gives the same bytes.
 */
export function unsignedTransaction(request: LaunchRequest): UnsignedTransaction {
  const creator = request.creator as Address;
  const mint = request.mint as Address;
  const instruction = {
    programAddress: PROGRAM_ADDRESS as Address,
    accounts: [
      { address: creator, role: AccountRole.WRITABLE_SIGNER },
      { address: mint, role: AccountRole.WRITABLE_SIGNER },
    ],
    data: Buffer.concat([request.name, request.symbol, request.uri].map(borshString)),
  };
  const blank = setTransactionMessageFeePayer(creator, createTransactionMessage({ version: 0 }));
  const dated = setTransactionMessageLifetimeUsingBlockhash(PLACEHOLDER_LIFETIME, blank);
  const transaction = compileTransaction(appendTransactionMessageInstruction(instruction, dated));
  return {
    messageBytes: Uint8Array.from(transaction.messageBytes),
    wireBytes: Uint8Array.from(ENCODER.encode(transaction)),
  };
}

/** Length in bytes as 32 bits, low byte first, then the UTF-8: how Solana programs take text (Borsh). */
function borshString(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
