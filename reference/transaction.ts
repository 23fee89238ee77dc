import type { Address } from "@solana/addresses";
import {
  addEncoderSizePrefix,
  fixEncoderSize,
  getArrayEncoder,
  getBytesEncoder,
  getShortU16Encoder,
  getStructEncoder,
  getU8Encoder,
  getU32Encoder,
  getUtf8Encoder,
} from "@solana/codecs";
import { getTransactionEncoder, type Transaction } from "@solana/transactions";
import bs58 from "bs58";
import type { LaunchRequest } from "./launch-request.ts";
import { PROGRAM_ADDRESS } from "./profile.ts";

const COUNT = getShortU16Encoder();
const KEY = fixEncoderSize(getBytesEncoder(), 32);
const BYTES = addEncoderSizePrefix(getBytesEncoder(), COUNT);

/** Text as Solana programs read it (Borsh): length in bytes as 32 bits, then UTF-8. */
const TEXT = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder());

/** Data of the launch instruction. */
const LAUNCH = getStructEncoder([
  ["name", TEXT],
  ["symbol", TEXT],
  ["uri", TEXT],
]);

/**
 * A version 0 message with one instruction. Solana's own encoder gives the same bytes, but its decoding of
 * base58 keys would take most of the time of a build.
 */
const MESSAGE = getStructEncoder([
  ["version", getU8Encoder()],
  ["signers", getU8Encoder()],
  ["readonlySigners", getU8Encoder()],
  ["readonlyOthers", getU8Encoder()],
  ["accounts", getArrayEncoder(KEY, { size: COUNT })],
  ["blockhash", KEY],
  ["instructions", COUNT],
  ["program", getU8Encoder()],
  ["accountsOfInstruction", BYTES],
  ["data", BYTES],
  ["lookupTables", COUNT],
]);

/** The parts that are equal in all messages. The blockhash is a placeholder: no block has this hash. */
const FIXED = {
  version: 0x80,
  signers: 2,
  readonlySigners: 0,
  readonlyOthers: 1,
  blockhash: new Uint8Array(32),
  instructions: 1,
  program: 2,
  accountsOfInstruction: Uint8Array.of(0, 1),
  lookupTables: 0,
};

const TRANSACTION = getTransactionEncoder();

/** An encoded launch transaction, and its message. */
export interface UnsignedTransaction {
  readonly messageBytes: Uint8Array;
  readonly wireBytes: Uint8Array;
}

/**
 * Encodes a launch as a version 0 Solana transaction with two zero signatures, of the creator (who pays the
 * fee) and the mint. It calls a program that is not deployed. Equal requests give equal bytes.
 */
export function unsignedTransaction(request: LaunchRequest): UnsignedTransaction {
  const creator = request.creator as Address;
  const mint = request.mint as Address;
  const messageBytes = MESSAGE.encode({
    ...FIXED,
    accounts: [creator, mint, PROGRAM_ADDRESS].map((key) => bs58.decode(key)),
    data: LAUNCH.encode(request),
  });
  const signatures = { [creator]: null, [mint]: null };
  const wireBytes = TRANSACTION.encode({ messageBytes, signatures } as unknown as Transaction);
  return { messageBytes: new Uint8Array(messageBytes), wireBytes: new Uint8Array(wireBytes) };
}
