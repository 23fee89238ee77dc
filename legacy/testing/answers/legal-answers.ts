import type { JudgeContext } from "../../contract/judge/judge-context.ts";
import { keyPairOf } from "../../contract/keys/key-pair.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import { type Body, changed, exchangeOf, GOOD, ISSUED_AT } from "../exchanges.ts";
import { timeInSteps } from "../timekeeping.ts";
import {
  challengeWith,
  EXPIRES_AT,
  type MessageParts,
  PARTS,
  RAW_CREATOR,
  RAW_TERMS_HASH,
} from "./messages.ts";
import { CREATOR, draftOf, draftWith, MINT, PARTS as TRANSACTION } from "./transactions.ts";
import { wireBytes } from "./wire.ts";

/** An answer unlike the reference's that the contract allows. */
export interface LegalAnswer {
  readonly what: string;
  readonly exchange: Exchange;
  readonly context?: Partial<JudgeContext>;
}

type Operation = keyof typeof GOOD;

const legal = (what: string, exchange: Exchange, context?: Partial<JudgeContext>): LegalAnswer => ({
  what,
  exchange,
  ...(context === undefined ? {} : { context }),
});
const body = (operation: Operation, what: string, change: (body: Body) => unknown) =>
  legal(`${operation}: ${what}`, changed(operation, change));

/** A challenge and a session whose moments are written in another way, on a clock that counts in these steps. */
function writes(what: string, write: (ms: number) => unknown, resolutionMs = 1): readonly LegalAnswer[] {
  const context = { timekeeping: timeInSteps(resolutionMs) };
  const expiry = write(EXPIRES_AT);
  const challenge = changed("challenge", (spoilt: Body) => {
    spoilt.expiresAt = expiry;
    spoilt.message = challengeWith({
      expiry: typeof expiry === "object" ? JSON.stringify(expiry) : String(expiry),
    }).body["message"];
  });
  const session = changed("verify", (spoilt: Body) => {
    spoilt.expiresAt = write(ISSUED_AT + 3_600_000);
  });
  return [legal(`challenge: ${what}`, challenge, context), legal(`session: ${what}`, session, context)];
}

/** A message that is not the text itself but the encoded bytes to sign, and that holds its parts in another form. */
function message(what: string, parts: Partial<MessageParts>): readonly LegalAnswer[] {
  return (["utf8", "hex", "base64"] as const).map((signedBytes) =>
    legal(`message as ${signedBytes}: ${what}`, challengeWith(parts, signedBytes), {
      facts: { metadataHosts: ["a.example", "b.example"], signedBytes, capacity: {} },
    }),
  );
}

function eightBytes(value: number, littleEndian: boolean): Buffer {
  const bytes = Buffer.alloc(8);
  if (littleEndian) bytes.writeBigInt64LE(BigInt(value));
  else bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

const iso = (ms: number) => new Date(ms).toISOString();
const toSecond = (round: (value: number) => number) => (ms: number) => iso(round(ms / 1000) * 1000);
const SECOND = 1000;

/** Binary parts cannot stand in a message that is text; as UTF-8 they would not survive. */
const binaryOnly = (answers: readonly LegalAnswer[]) => answers.filter(({ what }) => !what.includes("utf8"));

export const LEGAL_ANSWERS: readonly LegalAnswer[] = [
  ...writes("another zone", (ms) => iso(ms + 7_200_000).replace("Z", "+02:00")),
  ...writes("microseconds", (ms) => iso(ms).replace("Z", "000Z")),
  ...writes("no zone", (ms) => iso(ms).replace("Z", "").replace("T", " ")),
  ...writes("ISO 8601, basic", (ms) => iso(ms).replaceAll(/[-:]/g, "")),
  ...writes("epoch milliseconds", (ms) => ms),
  ...writes("seconds and nanoseconds", (ms) => ({
    seconds: String(Math.floor(ms / 1000)),
    nanos: (ms % 1000) * 1e6,
  })),
  ...writes("seconds in two halves", (ms) => ({
    _seconds: { low: Math.floor(ms / 1000) | 0, high: 0, unsigned: false },
    _nanoseconds: (ms % 1000) * 1e6,
  })),
  ...writes("a date of a document store", (ms) => ({ $date: iso(ms) })),
  ...writes("seconds since 1900", (ms) => (ms - Date.UTC(1900, 0)) / 1000),
  ...writes("days since 1899-12-30", (ms) => (ms - Date.UTC(1899, 11, 30)) / 86_400_000),
  ...writes("ticks since the year 1", (ms) => (ms + 62_135_596_800_000) * 10_000),
  ...writes("a list of fields", (ms) => [...iso(ms).split(/\D/).slice(0, 6).map(Number), (ms % 1000) * 1e6]),
  ...writes("a week date", (ms) => iso(ms).replace(/^[^T]*/, "2026-W41-6")),
  ...writes("a duration", () => "PT60S"),
  ...writes("epoch milliseconds as text", String),
  ...writes("epoch microseconds", (ms) => ms * 1000),
  ...writes("epoch nanoseconds as text", (ms) => `${ms}000000`),
  ...writes("epoch seconds with a fraction", (ms) => ms / 1000),
  ...writes("whole seconds on a clock of milliseconds, cut", (ms) => Math.floor(ms / 1000)),
  ...writes("whole seconds on a clock of milliseconds, rounded up", (ms) => Math.ceil(ms / 1000)),
  ...writes("RFC 1123", (ms) => new Date(ms).toUTCString()),
  ...writes("hexadecimal", (ms) => ms.toString(16)),
  ...writes("a clock of whole seconds, cut", toSecond(Math.floor), SECOND),
  ...writes("a clock of whole seconds, rounded", toSecond(Math.round), SECOND),
  ...writes("a clock of whole seconds, rounded up", toSecond(Math.ceil), SECOND),
  ...writes("tenths of a second", (ms) => iso(Math.floor(ms / 100) * 100), 100),

  ...message("the creator in hex", { creator: RAW_CREATOR.toString("hex") }),
  ...message("the terms hash in capitals", { termsHash: String(PARTS.termsHash).toUpperCase() }),
  ...message("the expiry in epoch seconds, rounded up", { expiry: String(Math.ceil(EXPIRES_AT / 1000)) }),
  ...message("the expiry in words", { expiry: "ends 10 October 2026 at 12:01:07" }),
  ...message("a label around the audience", { audience: "aud=urn:offline-demo:1" }),
  ...binaryOnly([
    ...message("the creator as its bytes", { creator: RAW_CREATOR }),
    ...message("the terms hash as its bytes", { termsHash: RAW_TERMS_HASH }),
    ...message("the expiry in eight bytes", { expiry: eightBytes(EXPIRES_AT, false) }),
    ...message("the expiry in seconds, low byte first", {
      expiry: eightBytes(Math.floor(EXPIRES_AT / 1000), true),
    }),
  ]),

  body("platform", "further fields", (profile) => Object.assign(profile, { docs: null, curve: { fee: 1 } })),
  body("platform", "signing under another name", (profile) => {
    profile.proof = profile.signing;
    delete profile.signing;
  }),
  body("platform", "words about private keys", (profile) => {
    profile.signing = {
      privateKeys: "never accepted, held or returned",
      privateKey: "PRIVATE_KEYS_NEVER_REACH_THIS_SERVICE_AT_ALL",
      mnemonic: null,
      secretKey: false,
      seedPhrase: "we do not ask for it",
    };
  }),
  body("challenge", "further fields", (challenge) =>
    Object.assign(challenge, { algorithm: "Ed25519", ttl: 60 }),
  ),
  body("verify", "further fields", (session) =>
    Object.assign(session, { tokenType: "Bearer", creator: CREATOR }),
  ),
  body("verify", "a short bearer of odd characters", (session) =>
    Object.assign(session, { bearer: "\u00e9 ~" }),
  ),
  body("build", "further fields", (draft) => Object.assign(draft, { tokenName: "x", nested: { a: [1] } })),
  body("build", "further fields of the cost", ({ cost }) => {
    Object.assign(cost, { currency: "SOL" });
    Object.assign(cost.accounts[0], { label: "Pool" });
  }),
  body("build", "the accounts in another order", ({ cost }) => cost.accounts.reverse()),
  body("build", "all figures zero", ({ cost }) => {
    for (const account of cost.accounts) Object.assign(account, { bytes: 0, historicalRentLamports: 0 });
    Object.assign(cost, { networkFeeLamports: 0, minimumLamports: 0, recommendedLamports: 1_000_000 });
  }),
  body("build", "a minimum by another formula", ({ cost }) => {
    Object.assign(cost, { minimumLamports: 7, recommendedLamports: 1_000_007 });
  }),
  ...[0, -5, 60, 1_791_633_637, 9_007_199_254_740_991].map((expiresAt) =>
    body("build", `expiresAt of a clock of its own, ${expiresAt}`, (draft) =>
      Object.assign(draft, { expiresAt }),
    ),
  ),
  body("build", "messageHash of something else", (draft) =>
    Object.assign(draft, { messageHash: "0".repeat(64) }),
  ),
  body("build", "a gate in words", (draft) =>
    Object.assign(draft, { nextGate: "simulate it first, read-only" }),
  ),

  legal("a legacy transaction", draftOf({ version: "legacy" })),
  legal("the mint first", draftOf({ accounts: [MINT, CREATOR] })),
  legal("the mint first in a legacy transaction", draftOf({ version: "legacy", accounts: [MINT, CREATOR] })),
  legal("a blockhash that is not zero", draftOf({ blockhash: new Uint8Array(32).fill(9) })),
  legal("more accounts", draftOf({ accounts: [CREATOR, MINT, keyPairOf("pool").address] })),
  legal("a message that is cut short", draftWith(wireBytes(TRANSACTION).subarray(0, -1))),
  legal("a message with bytes left over", draftWith(Buffer.concat([wireBytes(TRANSACTION), Buffer.of(0)]))),
  legal("an account that stands there twice", draftOf({ accounts: [CREATOR, MINT, MINT] })),
  legal("a version that nobody knows", draftOf({ version: 7, accounts: [keyPairOf("pool").address] })),
  legal(
    "a mark of 1, two empty signatures, and bytes of another chain",
    draftWith(Buffer.concat([Buffer.from([1]), Buffer.alloc(128), Buffer.from("anything")])),
  ),
  legal(
    "bytes of another chain after the signatures",
    draftWith(Buffer.concat([Buffer.from([2]), Buffer.alloc(128), Buffer.from("anything")])),
  ),

  legal(
    "the envelope has further members",
    exchangeOf(GOOD.verify.request, { status: 200, body: GOOD.verify.body, headers: {} }),
  ),
  legal(
    "an error has further members",
    exchangeOf(GOOD.verify.request, {
      status: 401,
      body: {
        code: "INVALID_PROOF",
        productionApproved: false,
        message: "look at the docs, section 4: proofs",
      },
    }),
  ),
  legal(
    "the profile refuses a stray body by a code of the table",
    exchangeOf(
      { method: "GET", path: "/v1/platform", body: "{}" },
      { status: 400, body: { code: "INVALID_FIELDS", productionApproved: false } },
    ),
  ),
  legal(
    "a route that nobody named answers 200",
    exchangeOf({ method: "GET", path: "/v1/platform?x=1" }, { status: 200, body: GOOD.platform.body }),
  ),
  legal(
    "of a creator named twice, the first counts",
    exchangeOf(
      {
        ...GOOD.challenge.request,
        body: String(GOOD.challenge.request.body)
          .replace("{", `{"creator":"${CREATOR}",`)
          .replace(/"creator":"[^"]*",("termsHash)/, `"creator":"${MINT}",$1`),
      },
      { status: 200, body: GOOD.challenge.body },
    ),
  ),
  legal(
    "of a mint named twice, the first counts",
    exchangeOf(
      {
        ...GOOD.build.request,
        body: String(GOOD.build.request.body).replace(
          /}$/,
          `,"\\u006dint":"${keyPairOf("silver").address}"}`,
        ),
      },
      { status: 200, body: GOOD.build.body },
    ),
  ),
];
