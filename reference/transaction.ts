import type { Address } from "@solana/addresses";
import { getCompiledTransactionMessageEncoder } from "@solana/transaction-messages";
import { getTransactionEncoder, type Transaction } from "@solana/transactions";
import type { LaunchRequest } from "./launch-request.ts";
import { PROGRAM_ADDRESS } from "./profile.ts";

/** 32 zero bytes in base58: no block has this hash, so no cluster takes the transaction. */
const PLACEHOLDER_BLOCKHASH = "11111111111111111111111111111111";

const MESSAGE = getCompiledTransactionMessageEncoder();
const TRANSACTION = getTransactionEncoder();

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
  const messageBytes = MESSAGE.encode({
    version: 0,
    header: { numSignerAccounts: 2, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 1 },
    staticAccounts: [creator, mint, PROGRAM_ADDRESS as Address],
    lifetimeToken: PLACEHOLDER_BLOCKHASH,
    instructions: [
      {
        programAddressIndex: 2,
        accountIndices: [0, 1],
        data: Buffer.concat([request.name, request.symbol, request.uri].map(borshString)),
      },
    ],
  });
  const signatures = { [creator]: null, [mint]: null };
  const wireBytes = TRANSACTION.encode({ messageBytes, signatures } as Transaction);
  return { messageBytes: Uint8Array.from(messageBytes), wireBytes: Uint8Array.from(wireBytes) };
}

/** Length in bytes as 32 bits, low byte first, then the UTF-8: how Solana programs take text (Borsh). */
function borshString(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
