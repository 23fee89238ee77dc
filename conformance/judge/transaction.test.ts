import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
} from "@solana/transaction-messages";
import fc from "fast-check";
import { DATA_FOLDER } from "../data/kit-files.ts";
import { readTransaction, type Transaction } from "./transaction.ts";

const DECODER = getCompiledTransactionMessageDecoder();
const ENCODER = getCompiledTransactionMessageEncoder();

/** Number of random messages. The nightly run checks more. */
const MESSAGES = Number(process.env["MESSAGES"] ?? 3_000);

type Decoded = Pick<Transaction, "version" | "isComplete"> & Partial<Transaction>;

/** Decodes a message with the library of Solana, as the oracle. Undefined for versions above 0. */
function decodeWithLibrary(bytes: Uint8Array): Decoded | undefined {
  const version = (bytes[0] ?? 0) < 0x80 ? "legacy" : bytes[0] === 0x80 ? "v0" : undefined;
  if (version === undefined) return undefined;
  try {
    const [message, end] = DECODER.read(bytes, 0);
    const encoded = Buffer.from(ENCODER.encode(message as never));
    return {
      version,
      requiredSignatures: message.header.numSignerAccounts,
      accounts: message.staticAccounts,
      blockhash: "lifetimeToken" in message ? String(message.lifetimeToken) : undefined,
      // The library accepts some invalid bytes. A message is valid only if it encodes to the same bytes.
      isComplete: end === bytes.length && encoded.equals(bytes),
    };
  } catch {
    return { version, isComplete: false };
  }
}

/** Reads a message, after two zero signatures. */
function read(message: Uint8Array): Transaction | undefined {
  return readTransaction(Uint8Array.from([2, ...new Uint8Array(128), ...message]));
}

/** Returns the messages in the fixtures. */
function recordedMessages(): readonly Uint8Array[] {
  const folder = join(DATA_FOLDER, "golden");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  const drafts = files.flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(/"unsignedTransactionBase64":\s*"([^"]+)"/g),
  ]);
  return [...new Set(drafts.map(([, base64 = ""]) => base64))].map((base64) =>
    Buffer.from(base64, "base64").subarray(129),
  );
}

/** A length as a compact-u16, at times not in its shortest form. */
const lengthOf = (value: number, isLong: boolean) => {
  const bytes = value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
  return isLong ? [...bytes.slice(0, -1), (bytes.at(-1) ?? 0) | 0x80, 0] : bytes;
};

const small = fc.oneof({ weight: 9, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(200) });
const isLong = fc.nat(40).map((value) => value === 0);
const listOf = (item: fc.Arbitrary<readonly number[]>) =>
  fc
    .tuple(
      small.chain((length) => fc.array(item, { minLength: length, maxLength: length })),
      isLong,
    )
    .map(([items, long]) => [...lengthOf(items.length, long), ...items.flat()]);
const byte = fc.nat(255).map((value) => [value]);
const index = fc.nat(6).map((value) => [value]);
const key = fc.integer({ min: 0, max: 12 }).map((value) => new Array<number>(32).fill(value));
const joined = (...parts: readonly fc.Arbitrary<readonly number[]>[]) =>
  fc.tuple(...parts).map((all) => all.flat());
const body = joined(
  index,
  index,
  index,
  listOf(key),
  key,
  listOf(joined(index, listOf(index), listOf(byte))),
);
const message = fc.oneof(
  body,
  joined(fc.constant([0x80]), body, listOf(joined(key, listOf(byte), listOf(byte)))),
);
/** A message with a changed, added, or removed byte, or none. */
const damaged = fc.tuple(message, fc.nat(), fc.nat(255), fc.nat(5)).map(([bytes, at, value, how]) => {
  const place = at % (bytes.length + 1);
  if (how > 2) return Uint8Array.from(bytes);
  const removed = how === 0 ? 0 : 1;
  const added = how === 2 ? [] : [value];
  return Uint8Array.from(bytes.toSpliced(place, removed, ...added));
});

test("reads recorded, random, and damaged messages as the library of Solana does", () => {
  const recorded = recordedMessages();
  assert.ok(recorded.length > 4);
  const drawn = fc.sample(damaged, { numRuns: MESSAGES, seed: 1 });
  let complete = 0;
  for (const bytes of [...recorded, ...drawn]) {
    const expected = decodeWithLibrary(bytes);
    const own = bytes.length === 0 ? undefined : read(bytes);
    if (expected === undefined || own === undefined) continue;
    const shown = Buffer.from(bytes).toString("hex");
    assert.equal(own.isComplete, expected.isComplete, shown);
    assert.equal(own.version, expected.version, shown);
    if (!own.isComplete) {
      assert.notEqual(own.fault, undefined);
      continue;
    }
    complete += 1;
    assert.equal(own.requiredSignatures, expected.requiredSignatures, shown);
    assert.deepEqual(own.accounts, expected.accounts, shown);
    assert.equal(own.blockhash, expected.blockhash, shown);
  }
  assert.ok(complete > MESSAGES / 4);
});

test("a message of a later version, and one without bytes, have a fault", () => {
  assert.equal(read(Uint8Array.from([0x81, 1, 0, 0]))?.version, "other");
  assert.match(read(Uint8Array.from([0x81, 1, 0, 0]))?.fault ?? "", /its version is 1$/);
  assert.equal(read(new Uint8Array()), undefined);
});
