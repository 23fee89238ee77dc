import assert from "node:assert/strict";
import { test } from "node:test";
import bs58 from "bs58";
import { keyPairOf } from "../keys/key-pair.ts";
import { readMessage } from "./transaction.ts";

const KEYS = ["creator", "mint", "program"].map((name) => bs58.decode(keyPairOf(name).address));
const BLOCKHASH = new Uint8Array(32);
const TABLE = bs58.decode(keyPairOf("table").address);

/** The fields of a message, each as its bytes, in their order. */
interface Parts {
  readonly version: readonly number[];
  readonly header: readonly number[];
  readonly accounts: readonly (readonly number[] | Uint8Array)[];
  readonly blockhash: Uint8Array;
  readonly instructions: readonly number[];
  readonly lookups: readonly (readonly number[] | Uint8Array)[];
  readonly after: readonly number[];
}

const CALL = [1, 2, 2, 0, 1, 3, 7, 7, 7];
const USUAL: Parts = {
  version: [0x80],
  header: [2, 0, 1],
  accounts: [[3], ...KEYS],
  blockhash: BLOCKHASH,
  instructions: CALL,
  lookups: [[0]],
  after: [],
};
const LEGACY = { version: [], lookups: [] };

const bytesOf = (given: Partial<Parts>) => {
  const { version, header, accounts, blockhash, instructions, lookups, after } = { ...USUAL, ...given };
  const parts = [version, header, ...accounts, blockhash, instructions, ...lookups, after];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
};

const SOUND: Readonly<Record<string, Partial<Parts>>> = {
  "version 0": {},
  legacy: LEGACY,
  "no instruction": { instructions: [0] },
  "no instruction, legacy": { ...LEGACY, instructions: [0] },
  "two instructions": { instructions: [2, ...CALL.slice(1), 2, 0, 0] },
  "two signers and no other account": {
    header: [2, 1, 0],
    accounts: [[2], ...KEYS.slice(0, 2)],
    instructions: [0],
  },
  "a lookup table": { lookups: [[1], TABLE, [1, 5, 1, 6]], instructions: [1, 2, 4, 0, 1, 3, 4, 0] },
  "data of more than 127 bytes": { instructions: [1, 2, 0, 0x80, 0x01, ...new Array<number>(128).fill(1)] },
};

for (const [what, parts] of Object.entries(SOUND)) {
  test(`a sound message: ${what}`, () => {
    const { fault, whole, requiredSignatures, accounts, version } = readMessage(bytesOf(parts), 129);
    assert.deepEqual([fault, whole, requiredSignatures], [undefined, true, 2]);
    assert.deepEqual(
      accounts?.slice(0, 2),
      ["creator", "mint"].map((name) => keyPairOf(name).address),
    );
    assert.equal(version, parts.version === undefined ? "v0" : "legacy");
  });
}

/** What is wrong with a message that all its bytes belong to, and the place that is told. */
const UNSOUND: readonly (readonly [what: string, parts: Partial<Parts>, fault: RegExp])[] = [
  ["nobody signs", { header: [0, 0, 1] }, /^byte 130, number of signers: 0/],
  ["who pays is read-only", { header: [2, 2, 0] }, /^byte 131, number of read-only signers/],
  ["no accounts", { accounts: [[0]] }, /^byte 133, account keys: 0 keys for 2 signers/],
  ["more signers than accounts", { header: [4, 0, 0] }, /^byte 133, account keys: 3 keys for 4 signers/],
  ["more read-only accounts than there are", { header: [2, 0, 2] }, /^byte 133, account keys: fewer/],
  [
    "a key twice",
    { accounts: [[3], ...KEYS.slice(0, 2), ...KEYS.slice(1, 2)] },
    /^byte 133, account keys: a key/,
  ],
  [
    "a program that pays",
    { instructions: [1, 0, 0, 0] },
    /^byte 263, program of instruction 0: account 0 is who/,
  ],
  [
    "a program that is not there",
    { instructions: [1, 3, 0, 0] },
    /^byte 263, program of instruction 0: account 3/,
  ],
  [
    "an account that is not there",
    { instructions: [1, 2, 1, 3, 0] },
    /^byte 264, accounts of instruction 0: account 3/,
  ],
  ["a table that loads nothing", { lookups: [[1], TABLE, [0, 0]] }, /^byte 271, lookup tables: table 0/],
];

for (const [what, parts, fault] of UNSOUND) {
  test(`decoded, and no validator takes it: ${what}`, () => {
    const reading = readMessage(bytesOf(parts), 129);
    assert.equal(reading.whole, true);
    assert.match(reading.fault ?? "", fault);
  });
}

/** Messages that cannot be read to their end. */
const BROKEN: readonly (readonly [what: string, bytes: Uint8Array, fault: RegExp])[] = [
  ["nothing", new Uint8Array(), /^byte 129, number of signers: the bytes end/],
  ["a version alone", Uint8Array.of(0x80), /^byte 130, number of signers: the bytes end/],
  ["a later version", bytesOf({ version: [0x81] }), /^byte 129, version: 1/],
  ["a header of two", bytesOf({}).subarray(0, 3), /^byte 132, number of read-only accounts: the bytes end/],
  ["a key that is cut short", bytesOf({}).subarray(0, 50), /^byte 166, account keys: the bytes end/],
  [
    "a blockhash that is cut short",
    bytesOf({}).subarray(0, 120),
    /^byte 230, recent blockhash: the bytes end/,
  ],
  [
    "data that is cut short",
    bytesOf(LEGACY).subarray(0, -1),
    /^byte 267, data of instruction 0: the bytes end/,
  ],
  ["no lookup tables", bytesOf({ lookups: [] }), /^byte 271, count of lookup tables: the bytes end/],
  ["bytes left over", bytesOf({ after: [0] }), /^byte 272, end of the message: bytes are left over/],
  [
    "a count with an idle byte",
    bytesOf({ instructions: [0x80, 0] }),
    /^byte 262, count of instructions: no compact/,
  ],
  [
    "a count of 17 bits",
    bytesOf({ instructions: [0xff, 0xff, 4] }),
    /^byte 262, count of instructions: no compact/,
  ],
  [
    "a count without end",
    bytesOf({ instructions: [255, 255, 255] }),
    /^byte 262, count of instructions: no compact/,
  ],
];

for (const [what, bytes, fault] of BROKEN) {
  test(`not decoded: ${what}`, () => {
    const reading = readMessage(bytes, 129);
    assert.equal(reading.whole, false);
    assert.match(reading.fault ?? "", fault);
  });
}

test("what stands before the break is read", () => {
  const { requiredSignatures, accounts, blockhash } = readMessage(bytesOf({}).subarray(0, -1), 129);
  assert.deepEqual([requiredSignatures, accounts?.length, blockhash], [2, 3, bs58.encode(BLOCKHASH)]);
});
