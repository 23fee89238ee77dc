import { type MessageReading, readMessage } from "./message-reader.ts";

/** What the kit reads in an `unsignedTransactionBase64`. */
export interface TransactionReading {
  /** The signatures that the bytes carry, whatever the rest is. */
  readonly signatures: readonly Uint8Array[];
  /** The bytes after the signatures: what a signer would sign. */
  readonly messageBytes: Uint8Array;
  readonly message: MessageReading;
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
  return { signatures, messageBytes, message: readMessage(messageBytes, end) };
}

/** Whether the bytes begin as the contract's transaction does on the wire: a count of two, and two signatures that nobody made. */
export function beginsAsTransaction({ signatures }: TransactionReading): boolean {
  return signatures.length === 2 && signatures.every((signature) => signature.every((byte) => byte === 0));
}
