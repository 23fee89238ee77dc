import { createHash } from "node:crypto";
import { sameJson } from "../../engine/play/compare.ts";
import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import type { Observation } from "../../engine/play/judgement.ts";
import { LIFETIME_MS } from "../operations.ts";
import { responseSchemas } from "./response-schemas.ts";
import type { TransactionReading } from "./transaction.ts";

const ZERO_BLOCKHASH = "11111111111111111111111111111111";
const KINDS = ["pool", "mint", "baseVault", "quoteVault"];
const WINDOW_MS = LIFETIME_MS.draft;
const UPPER_CASE_NAME = /^[A-Z][A-Z0-9_]*$/;

/** The reading of RETRY-EXTRA-FIELDS: whether a repeated draft repeats members that the contract does not name. */
export function retryReading(first: Exchange, again: Exchange): string {
  const { named } = responseSchemas();
  const isPlain = [first, again].every(({ body }) => sameJson(body, named("build", body)));
  if (isPlain) return "none";
  return sameJson(first.body, again.body) ? "same" : "varying";
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Observes the readings of the open points about drafts. */
export function observeDraft(
  exchange: Exchange,
  transaction: TransactionReading | undefined,
  hashed: HashRelation | undefined,
): readonly Observation[] {
  const { body } = exchange;
  const { cost, expiresAt, nextGate } = body;
  return [
    ...(transaction === undefined ? [] : observeTransaction(body, transaction)),
    ...(hashed === undefined ? [] : [{ point: "MESSAGE-HASH", reading: hashed }]),
    ...(isObject(cost) ? observeCost(cost) : []),
    ...observeExpiry(expiresAt, exchange),
    {
      point: "NEXT-GATE-TEXT",
      reading: typeof nextGate === "string" && UPPER_CASE_NAME.test(nextGate) ? "upper-case-name" : "other",
    },
  ];
}

function observeTransaction(body: JsonObject, transaction: TransactionReading): readonly Observation[] {
  const message = transaction.message.whole ? transaction.message : undefined;
  const format = message?.version ?? "other";
  const first = message?.accounts?.slice(0, 2) ?? [];
  const signers: readonly unknown[] = Array.isArray(body["requiredSigners"]) ? body["requiredSigners"] : [];
  const order = first.every((key, index) => key === signers[index]) ? "creator-first" : "mint-first";
  const known = first.length === 2 && first.every((key) => signers.includes(key));
  return [
    { point: "TRANSACTION-FORMAT", reading: format },
    { point: "TRANSACTION-SIGNERS-ORDER", reading: known ? order : "other" },
    { point: "BLOCKHASH-VALUE", reading: message?.blockhash === ZERO_BLOCKHASH ? "zero" : "other" },
  ];
}

/** The bytes of the transaction of which `messageHash` is the SHA-256. */
export type HashRelation = "sha256-of-message" | "sha256-of-transaction" | "other";

/** See {@link HashRelation}. */
export function messageHashRelation(body: JsonObject, transaction: TransactionReading): HashRelation {
  if (body["messageHash"] === sha256(transaction.messageBytes)) return "sha256-of-message";
  const whole = Buffer.from(String(body["unsignedTransactionBase64"]), "base64");
  return body["messageHash"] === sha256(whole) ? "sha256-of-transaction" : "other";
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function observeCost(cost: JsonObject): readonly Observation[] {
  const accounts = costAccounts(cost);
  const order =
    accounts.length === KINDS.length && accounts.every(({ kind }, index) => kind === KINDS[index]);
  return [
    { point: "COST-ACCOUNTS-ORDER", reading: order ? "as-listed" : "other" },
    { point: "COST-MINIMUM-FORMULA", reading: minimumFormula(cost) },
  ];
}

function minimumFormula(cost: JsonObject): string {
  const { minimumLamports, networkFeeLamports } = cost;
  if (minimumLamports === rentsAndFee(cost)) return "rents-and-fee";
  return minimumLamports === rentsAndFee(cost) - lamports(networkFeeLamports) ? "rents" : "other";
}

/** The accounts of a cost that are objects. */
export function costAccounts({ accounts }: JsonObject): readonly JsonObject[] {
  return Array.isArray(accounts) ? accounts.filter(isObject) : [];
}

/** The sum of the rents and the network fee of a cost, in lamports; NaN where a figure is not a number. */
export function rentsAndFee(cost: JsonObject): number {
  const accounts = costAccounts(cost);
  const rents = accounts.reduce((sum, account) => sum + lamports(account["historicalRentLamports"]), 0);
  return rents + lamports(cost["networkFeeLamports"]);
}

/** A figure, or NaN where it is not a number. */
export function lamports(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

/** Observes how `expiresAt` counts. A replay has the expiry of its first build, so a value inside the window shows nothing. */
function observeExpiry(expiresAt: unknown, { sentAt, answeredAt }: Exchange): readonly Observation[] {
  if (typeof expiresAt !== "number") return [];
  const left = (ms: number) => ({ atMost: ms - sentAt, atLeast: ms - answeredAt });
  for (const [reading, scale] of [
    ["milliseconds-of-window", 1],
    ["seconds-of-window", 1000],
  ] as const) {
    const { atMost, atLeast } = left(expiresAt * scale);
    if (atMost > WINDOW_MS - 1000 && atLeast < WINDOW_MS + 1000)
      return [{ point: "DRAFT-EXPIRES-AT", reading }];
    if (atMost >= -WINDOW_MS && atLeast <= WINDOW_MS) return [];
  }
  return [{ point: "DRAFT-EXPIRES-AT", reading: "other" }];
}
