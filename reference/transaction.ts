import bs58 from "bs58";
import type { LaunchRequest } from "./launch-request.ts";
import { PROGRAM_ADDRESS } from "./profile.ts";

/** Version 0, two signers, no read-only signer, and one other read-only account: the program. */
const HEADER = Uint8Array.of(0x80, 2, 0, 1);
/** A placeholder: no block has this hash. */
const BLOCKHASH = new Uint8Array(32);
/** The program is the third account, and gets the first two. */
const PROGRAM_AND_ACCOUNTS = Uint8Array.of(2, 2, 0, 1);
const NO_LOOKUP_TABLES = shortLength(0);
const SIGNATURES = Buffer.concat([shortLength(2), new Uint8Array(2 * 64)]);

/** An encoded launch transaction, and its message. */
export interface UnsignedTransaction {
  readonly messageBytes: Uint8Array;
  readonly wireBytes: Uint8Array;
}

/**
 * Encodes a launch as a version 0 Solana transaction with two zero signatures, of the creator (who pays the
 * fee) and the mint. It calls a program that is not deployed. Equal requests give equal bytes.
 */
export function unsignedTransaction({
  creator,
  mint,
  name,
  symbol,
  uri,
}: LaunchRequest): UnsignedTransaction {
  const accounts = [creator, mint, PROGRAM_ADDRESS].map((key) => bs58.decode(key));
  const data = Buffer.concat([name, symbol, uri].map(encodeText));
  const messageBytes = Buffer.concat([
    ...[HEADER, shortLength(accounts.length), ...accounts, BLOCKHASH],
    ...[shortLength(1), PROGRAM_AND_ACCOUNTS, shortLength(data.length), data, NO_LOOKUP_TABLES],
  ]);
  const wireBytes = Buffer.concat([SIGNATURES, messageBytes]);
  return { messageBytes: new Uint8Array(messageBytes), wireBytes: new Uint8Array(wireBytes) };
}

/** Encodes a length of less than 2^14 as Solana messages contain it (compact-u16). */
function shortLength(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7);
}

/** Encodes a text as Solana programs read it (Borsh): length in bytes as 32 bits, then UTF-8. */
function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}
