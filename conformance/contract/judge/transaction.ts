import { getCompiledTransactionMessageDecoder } from "@solana/transaction-messages";

/** What the kit reads in an `unsignedTransactionBase64`. */
export interface TransactionReading {
  /** The signatures that the bytes carry, whatever the rest is. */
  readonly signatures: readonly Uint8Array[];
  /** The bytes after the signatures: what a signer would sign. */
  readonly messageBytes: Uint8Array;
  /** The message, where it is one in the Solana wire format. */
  readonly message?: TransactionMessage;
}

export interface TransactionMessage {
  readonly version: "legacy" | "v0" | "other";
  /** How many of the first accounts must sign. */
  readonly requiredSignatures: number;
  /** Accounts in the order of the message, base58. */
  readonly accounts: readonly string[];
  /** Recent blockhash, base58. */
  readonly blockhash: string;
}

/** A signature count is one byte here: nothing that the contract describes has 128 signatures or more. */
const SIGNATURE_BYTES = 64;

/**
 * Reads the bytes of a transaction: a count, so many signatures of 64 bytes, and a message.
 * @returns undefined where the bytes are too short to hold what their count announces
 */
export function readTransaction(bytes: Uint8Array): TransactionReading | undefined {
  const count = bytes[0] ?? 0;
  const end = 1 + count * SIGNATURE_BYTES;
  if (count > 127 || bytes.length <= end) return undefined;
  const signatures = Array.from({ length: count }, (_, index) =>
    bytes.slice(1 + index * SIGNATURE_BYTES, 1 + (index + 1) * SIGNATURE_BYTES),
  );
  const messageBytes = bytes.slice(end);
  const message = readMessage(messageBytes);
  return { signatures, messageBytes, ...(message === undefined ? {} : { message }) };
}

function readMessage(messageBytes: Uint8Array): TransactionMessage | undefined {
  try {
    const [message, end] = getCompiledTransactionMessageDecoder().read(messageBytes, 0);
    const { version, header, staticAccounts } = message;
    const required = header.numSignerAccounts;
    if (end !== messageBytes.length || required === 0 || staticAccounts.length < required) return undefined;
    return {
      version: version === "legacy" ? "legacy" : version === 0 ? "v0" : "other",
      requiredSignatures: required,
      accounts: staticAccounts,
      blockhash: "lifetimeToken" in message ? message.lifetimeToken : "",
    };
  } catch {
    return undefined;
  }
}
