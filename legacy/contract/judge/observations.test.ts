import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Exchange } from "../../engine/play/exchange.ts";
import { LEGAL_ANSWERS } from "../../testing/answers/legal-answers.ts";
import {
  challengeWith,
  NOTHING,
  PARTS,
  RAW_CREATOR,
  RAW_TERMS_HASH,
} from "../../testing/answers/messages.ts";
import { CREATOR, draftOf, draftWith, MINT } from "../../testing/answers/transactions.ts";
import { contract } from "../../testing/contract-data.ts";
import { type Body, changed, exchangeOf, GOOD, judged } from "../../testing/exchanges.ts";
import type { JudgeContext } from "./judge-context.ts";

const { platform, challenge, verify, build } = GOOD;
const member = (operation: keyof typeof GOOD, name: string, value: unknown) =>
  changed(operation, (body: Body) => Object.assign(body, { [name]: value }));
const bearer = (text: string) => member("verify", "bearer", text);
const cost = (change: (cost: Body) => unknown) => changed("build", (body: Body) => change(body.cost));
const encoded = (signedBytes: "hex" | "base64" | "sha256" | "adapter"): Partial<JudgeContext> => ({
  facts: { metadataHosts: ["a.example", "b.example"], signedBytes, capacity: {} },
});
const refusal = (further: object) =>
  exchangeOf(verify.request, {
    status: 401,
    body: { code: "INVALID_PROOF", productionApproved: false, ...further },
  });

/** Each reading that an answer shows by itself: the point, the reading, the answer that shows it. */
const SHOWN: readonly (readonly [
  point: string,
  reading: string,
  exchange: Exchange,
  context?: Partial<JudgeContext>,
])[] = [
  ["ENVELOPE-EXTRA-FIELDS", "none", platform],
  [
    "ENVELOPE-EXTRA-FIELDS",
    "other",
    exchangeOf(platform.request, { status: 200, body: platform.body, at: 1 }),
  ],
  ["SIGNING-DESCRIPTION", "signing", platform],
  [
    "SIGNING-DESCRIPTION",
    "other",
    changed("platform", (body: Body) => {
      body.proof = body.signing;
      delete body.signing;
    }),
  ],
  ["EXTRA-FIELDS-PROFILE", "none", platform],
  ["EXTRA-FIELDS-PROFILE", "other", member("platform", "docs", "x")],
  ["CHALLENGE-TIMESTAMP-FORMAT", "iso-8601", challenge],
  ["CHALLENGE-TIMESTAMP-FORMAT", "not-read", member("challenge", "expiresAt", { seconds: 1_791_633_667 })],
  ["CHALLENGE-TIMESTAMP-FORMAT", "not-read", member("challenge", "expiresAt", "2026-W41-6T12:01:07Z")],
  ["CHALLENGE-TIMESTAMP-FORMAT", "not-read", member("challenge", "expiresAt", 1_791_633_667_137_000)],
  [
    "CHALLENGE-TIMESTAMP-FORMAT",
    "rfc-1123",
    member("challenge", "expiresAt", "Sat, 10 Oct 2026 12:01:07 GMT"),
  ],
  ["CHALLENGE-TIMESTAMP-FORMAT", "rfc-1123", member("challenge", "expiresAt", "Sat Oct 10 12:01:07 2026")],
  ["CHALLENGE-TIMESTAMP-FORMAT", "epoch-seconds", member("challenge", "expiresAt", 1_791_633_667)],
  ["CHALLENGE-TIMESTAMP-FORMAT", "epoch-milliseconds", member("challenge", "expiresAt", "1791633667137")],
  ["MESSAGE-LAYOUT", "lines", challenge],
  ["MESSAGE-LAYOUT", "one-line", challengeWith({})],
  ["MESSAGE-LAYOUT", "json", member("challenge", "message", JSON.stringify(PARTS))],
  ["MESSAGE-LAYOUT", "encoded", challengeWith({}, "hex"), encoded("hex")],
  ["MESSAGE-LAYOUT", "other", member("challenge", "message", "\u0001\u0002")],
  ["MESSAGE-CREATOR-FORM", "base58", challenge],
  ["MESSAGE-CREATOR-FORM", "hex", challengeWith({ creator: RAW_CREATOR.toString("hex").toUpperCase() })],
  ["MESSAGE-CREATOR-FORM", "raw", challengeWith({ creator: RAW_CREATOR }, "base64"), encoded("base64")],
  ["MESSAGE-TERMS-FORM", "hex", challenge],
  ["MESSAGE-TERMS-FORM", "raw", challengeWith({ termsHash: RAW_TERMS_HASH }, "hex"), encoded("hex")],
  ["MESSAGE-EXPIRY-FORM", "same", challenge],
  ["MESSAGE-EXPIRY-FORM", "other", challengeWith({ expiry: "1791633667" })],
  ["MESSAGE-EXPIRY-FORM", "not-read", challengeWith({ expiry: "10 October at 12:01:07" })],
  ["MESSAGE-EXPIRY-FORM", "not-read", challengeWith({ expiry: NOTHING }, "base64"), encoded("base64")],
  ["EXTRA-FIELDS-CHALLENGE", "none", challenge],
  ["EXTRA-FIELDS-CHALLENGE", "other", member("challenge", "ttl", 60)],
  ["SIGNED-BYTES", "utf8", verify],
  ["SIGNED-BYTES", "hex", verify, encoded("hex")],
  ["SIGNED-BYTES", "base64", verify, encoded("base64")],
  ["SIGNED-BYTES", "sha256", verify, encoded("sha256")],
  ["SIGNED-BYTES", "adapter", verify, encoded("adapter")],
  ["SESSION-TIMESTAMP-FORMAT", "iso-8601", verify],
  ["SESSION-TIMESTAMP-FORMAT", "epoch-milliseconds", member("verify", "expiresAt", 1_791_637_207_137)],
  ["BEARER-FORMAT", "base64url", verify],
  ["BEARER-FORMAT", "hex", bearer("0f".repeat(16))],
  ["BEARER-FORMAT", "uuid", bearer("0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f")],
  ["BEARER-FORMAT", "jwt", bearer("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln")],
  ["BEARER-FORMAT", "base64", bearer("AAECAwQFBgcICQoLDA0ODw+/AAECAwQ=")],
  ["BEARER-FORMAT", "other", bearer("a token: with words, and more of it")],
  ["EXTRA-FIELDS-SESSION", "none", verify],
  ["EXTRA-FIELDS-SESSION", "other", member("verify", "tokenType", "Bearer")],
  ["EXTRA-FIELDS-DRAFT", "none", build],
  ["EXTRA-FIELDS-DRAFT", "other", member("build", "tokenName", "x")],
  ["DRAFT-EXPIRES-AT", "milliseconds-of-window", build],
  ["DRAFT-EXPIRES-AT", "seconds-of-window", member("build", "expiresAt", 1_791_633_637)],
  ["DRAFT-EXPIRES-AT", "other", member("build", "expiresAt", 30)],
  ["NEXT-GATE-TEXT", "upper-case-name", build],
  ["NEXT-GATE-TEXT", "other", member("build", "nextGate", "simulate it")],
  ["TRANSACTION-FORMAT", "v0", build],
  ["TRANSACTION-FORMAT", "legacy", draftOf({ version: "legacy" })],
  ["TRANSACTION-FORMAT", "other", draftWith(Buffer.concat([Buffer.from([2]), Buffer.alloc(130)]))],
  ["TRANSACTION-SIGNERS-ORDER", "creator-first", build],
  ["TRANSACTION-SIGNERS-ORDER", "mint-first", draftOf({ accounts: [MINT, CREATOR] })],
  ["TRANSACTION-SIGNERS-ORDER", "other", draftWith(Buffer.concat([Buffer.from([2]), Buffer.alloc(130)]))],
  ["BLOCKHASH-VALUE", "zero", draftOf({})],
  ["BLOCKHASH-VALUE", "other", draftOf({ blockhash: new Uint8Array(32).fill(1) })],
  ["MESSAGE-HASH", "sha256-of-message", build],
  ["MESSAGE-HASH", "other", member("build", "messageHash", "0".repeat(64))],
  ["EXTRA-FIELDS-COST", "none", build],
  ["EXTRA-FIELDS-COST", "other", cost((spoilt) => Object.assign(spoilt, { currency: "SOL" }))],
  ["EXTRA-FIELDS-COST-ACCOUNT", "none", build],
  ["EXTRA-FIELDS-COST-ACCOUNT", "other", cost(({ accounts }) => Object.assign(accounts[0], { label: "x" }))],
  ["COST-ACCOUNTS-ORDER", "as-listed", build],
  ["COST-ACCOUNTS-ORDER", "other", cost(({ accounts }) => accounts.reverse())],
  ["COST-MINIMUM-FORMULA", "rents-and-fee", build],
  ["COST-MINIMUM-FORMULA", "rents", cost((spoilt) => (spoilt.minimumLamports -= spoilt.networkFeeLamports))],
  ["COST-MINIMUM-FORMULA", "other", cost((spoilt) => (spoilt.minimumLamports += 1))],
  ["EXTRA-FIELDS-ERROR", "none", refusal({})],
  ["EXTRA-FIELDS-ERROR", "other", refusal({ message: "no" })],
];

for (const [point, reading, exchange, context] of SHOWN) {
  test(`${point} ${reading} is read off an answer`, () => {
    const { observations } = judged(exchange, context);
    assert.deepEqual(
      observations.filter((seen) => seen.point === point),
      [{ point, reading }],
    );
  });
}

test("messageHash of the whole transaction is told from one of its message", () => {
  const whole = Buffer.from(String(build.body["unsignedTransactionBase64"]), "base64");
  const hash = createHash("sha256").update(whole).digest("hex");
  const { observations } = judged(member("build", "messageHash", hash));
  const readings = observations.flatMap(({ point, reading }) => (point === "MESSAGE-HASH" ? reading : []));
  assert.deepEqual(readings, ["sha256-of-transaction"]);
});

test("every reading of the points above is read off some answer", () => {
  const points = new Set(SHOWN.map(([point]) => point));
  const shown = new Set([
    ...SHOWN.map(([point, reading]) => `${point} ${reading}`),
    "MESSAGE-HASH sha256-of-transaction",
  ]);
  const missing = [...points].flatMap((point) =>
    (contract.points.get(point)?.readings ?? [])
      .map(({ id }) => `${point} ${id}`)
      .filter((one) => !shown.has(one)),
  );
  assert.deepEqual(
    missing.filter((one) => !one.startsWith("SESSION-TIMESTAMP-FORMAT")),
    [],
  );
});

test("what a legal answer shows is always a reading that its open point has", () => {
  for (const { what, exchange, context } of LEGAL_ANSWERS) {
    for (const { point, reading } of judged(exchange, context).observations) {
      const known = contract.points.get(point)?.readings.map(({ id }) => id) ?? [];
      assert.ok(known.includes(reading), `${what}: ${point} has no reading ${reading}`);
    }
  }
});

test("a replay inside of its window shows nothing of the clock of drafts", () => {
  const { observations } = judged(member("build", "expiresAt", 1_791_633_627_137 + 5_000));
  assert.deepEqual(
    observations.filter(({ point }) => point === "DRAFT-EXPIRES-AT"),
    [],
  );
});
