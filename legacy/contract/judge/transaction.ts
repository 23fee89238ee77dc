import { createHash } from "node:crypto";
import bs58 from "bs58";
import { remembered } from "../remembered.ts";

/** The parts of an `unsignedTransactionBase64`. */
export interface TransactionReading {
  /** The signatures, whatever the other bytes are. */
  readonly signatures: readonly Uint8Array[];
  /** The bytes after the signatures: what a signer would sign. */
  readonly messageBytes: Uint8Array;
  readonly message: MessageReading;
}

/** The count of signatures is one byte: the contract describes nothing with 128 signatures or more. */
const SIGNATURE_BYTES = 64;

/**
 * Reads the bytes of a transaction: a count, that many signatures of 64 bytes, and a message.
 * @returns undefined where the bytes are too short for the signatures that they count
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

/** Whether the bytes begin with a count of two, and two empty signatures. */
export function beginsAsTransaction({ signatures }: TransactionReading): boolean {
  return signatures.length === 2 && signatures.every((signature) => signature.every((byte) => byte === 0));
}

/** The bytes of the transaction of which `messageHash` is the SHA-256. */
export type HashRelation = "sha256-of-message" | "sha256-of-transaction" | "other";

/** See {@link HashRelation}. */
export function messageHashRelation(
  body: Readonly<Record<string, unknown>>,
  transaction: TransactionReading,
): HashRelation {
  if (body["messageHash"] === sha256(transaction.messageBytes)) return "sha256-of-message";
  const whole = Buffer.from(String(body["unsignedTransactionBase64"]), "base64");
  return body["messageHash"] === sha256(whole) ? "sha256-of-transaction" : "other";
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A message in the Solana wire format, up to where its bytes cease to be one. */
export interface MessageReading {
  readonly version: "legacy" | "v0" | "other";
  /** Number of the first accounts that must sign; undefined where the bytes end before. */
  readonly requiredSignatures?: number;
  /** Accounts in the order of the message, base58; undefined where the bytes end before the last of them. */
  readonly accounts?: readonly string[];
  /** Recent blockhash, base58. */
  readonly blockhash?: string;
  /** Whether every byte belongs to a field, and no field lacks one: usual libraries decode it. */
  readonly whole: boolean;
  /** The first fault that makes a validator refuse it: the byte, the field, and what is wrong. */
  readonly fault?: string;
}

const KEY_BYTES = 32;
/** The first bit of a message that has a version; the others are its number. */
const VERSIONED = 0x80;
const MOST_LOADED = 256;

/**
 * Reads a message as strictly as a validator, and reports its first fault.
 * @param bytes of the message alone
 * @param offset of its first byte in the transaction, for the reported places
 */
export function readMessage(bytes: Uint8Array, offset: number): MessageReading {
  const fields = new Fields(bytes, offset);
  const reading: Writable<MessageReading> = { version: "legacy", whole: false };
  try {
    readFields(fields, reading);
    reading.whole = true;
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    fields.note(thrown.fault);
  }
  return fields.fault === undefined ? reading : { ...reading, fault: fields.fault };
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

function readFields(fields: Fields, reading: Writable<MessageReading>): void {
  if ((fields.peek() & VERSIONED) !== 0) {
    const at = fields.place("version");
    const version = fields.byte("version") & ~VERSIONED;
    reading.version = version === 0 ? "v0" : "other";
    if (version > 0) throw new Unreadable(`${at}: ${version}, of which the kit knows nothing`);
  }
  const header = readHeader(fields);
  reading.requiredSignatures = header.required;
  const accountsAt = fields.place("account keys");
  const accounts = fields.list("account keys", () => base58(fields.take(KEY_BYTES, "account keys")));
  reading.accounts = accounts;
  if (header.required > accounts.length)
    fields.note(`${accountsAt}: ${accounts.length} keys for ${header.required} signers`);
  else if (header.required + header.readonlyOthers > accounts.length)
    fields.note(`${accountsAt}: fewer keys than signers and read-only accounts`);
  if (new Set(accounts).size < accounts.length) fields.note(`${accountsAt}: a key stands there twice`);
  reading.blockhash = base58(fields.take(KEY_BYTES, "recent blockhash"));
  const calls = fields.list("instructions", (index) => readInstruction(fields, `instruction ${index}`));
  const loaded = reading.version === "v0" ? readLookups(fields) : 0;
  fields.end();
  for (const { programAt, program, accountsAt: at, accounts: named } of calls) {
    if (program === 0 || program >= accounts.length)
      fields.note(`${programAt}: account ${program} is ${program === 0 ? "who pays" : "not there"}`);
    const missing = named.find((index) => index >= accounts.length + loaded);
    if (missing !== undefined) fields.note(`${at}: account ${missing} is not there`);
  }
}

function readHeader(fields: Fields): { readonly required: number; readonly readonlyOthers: number } {
  const requiredAt = fields.place("number of signers");
  const required = fields.byte("number of signers");
  if (required === 0) fields.note(`${requiredAt}: 0, so that nobody pays`);
  const readonlyAt = fields.place("number of read-only signers");
  const readonlySigners = fields.byte("number of read-only signers");
  if (required > 0 && readonlySigners >= required) fields.note(`${readonlyAt}: who pays is read-only`);
  return { required, readonlyOthers: fields.byte("number of read-only accounts") };
}

/** Remembered, since most drafts have the same accounts, and encoding one costs as much as reading a draft. */
const encoded = remembered(5000, (latin1) => bs58.encode(Buffer.from(latin1, "latin1")));

/** A key as base58. */
function base58(bytes: Uint8Array): string {
  return encoded(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"));
}

interface Instruction {
  readonly programAt: string;
  readonly program: number;
  readonly accountsAt: string;
  readonly accounts: readonly number[];
}

function readInstruction(fields: Fields, name: string): Instruction {
  const programAt = fields.place(`program of ${name}`);
  const program = fields.byte(`program of ${name}`);
  const accountsAt = fields.place(`accounts of ${name}`);
  const accounts = [...fields.bytes(`accounts of ${name}`)];
  fields.bytes(`data of ${name}`);
  return { programAt, program, accountsAt, accounts };
}

/** Number of accounts that the lookup tables load. */
function readLookups(fields: Fields): number {
  const at = fields.place("lookup tables");
  const counts = fields.list("lookup tables", (index) => {
    const name = `lookup table ${index}`;
    fields.take(KEY_BYTES, `key of ${name}`);
    const count =
      fields.bytes(`writable accounts of ${name}`).length +
      fields.bytes(`read-only accounts of ${name}`).length;
    if (count === 0) fields.note(`${at}: table ${index} loads nothing`);
    return count;
  });
  const loaded = counts.reduce((sum, count) => sum + count, 0);
  if (loaded > MOST_LOADED) fields.note(`${at}: they load more than ${MOST_LOADED} accounts`);
  return loaded;
}

/** Thrown where the bytes cannot be read any further. */
class Unreadable {
  readonly fault: string;

  constructor(fault: string) {
    this.fault = fault;
  }
}

/** The bytes of a message, read field by field. */
class Fields {
  readonly #bytes: Uint8Array;
  readonly #offset: number;
  #next = 0;
  #fault: string | undefined;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  /** The first fault that was noted. */
  get fault(): string | undefined {
    return this.#fault;
  }

  note(fault: string): void {
    this.#fault ??= fault;
  }

  /** The field that begins here, for people. */
  place(field: string): string {
    return `byte ${this.#offset + this.#next}, ${field}`;
  }

  peek(): number {
    return this.#bytes[this.#next] ?? 0;
  }

  take(count: number, field: string): Uint8Array {
    const left = this.#bytes.length - this.#next;
    if (left < count) throw new Unreadable(`${this.place(field)}: the bytes end within it`);
    this.#next += count;
    return this.#bytes.subarray(this.#next - count, this.#next);
  }

  byte(field: string): number {
    return this.take(1, field)[0] ?? 0;
  }

  /** A compact count (7 bits a byte, lowest first) and that many bytes. */
  bytes(field: string): Uint8Array {
    return this.take(this.#count(field), field);
  }

  /** A compact count and that many items. */
  list<Item>(field: string, item: (index: number) => Item): readonly Item[] {
    const items: Item[] = [];
    for (let left = this.#count(field); left > 0; left -= 1) items.push(item(items.length));
    return items;
  }

  /** @throws {Unreadable} where bytes are left */
  end(): void {
    if (this.#next < this.#bytes.length)
      throw new Unreadable(`${this.place("end of the message")}: bytes are left over`);
  }

  #count(field: string): number {
    const at = this.place(`count of ${field}`);
    let count = 0;
    for (let position = 0; position < 3; position += 1) {
      const byte = this.byte(`count of ${field}`);
      count |= (byte & 0x7f) << (7 * position);
      if ((byte & 0x80) !== 0) continue;
      if ((position > 0 && byte === 0) || count > 0xffff) break;
      return count;
    }
    throw new Unreadable(`${at}: no compact count of 16 bits`);
  }
}
