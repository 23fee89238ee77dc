import { sameJson } from "../../engine/play/compare.ts";
import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import {
  type Advice,
  type Judgement,
  type Mismatch,
  type Observation,
  show,
} from "../../engine/play/judgement.ts";
import { LIFETIME_MS } from "../operations.ts";
import { launchBounds } from "../request-fields.ts";
import type { JudgeContext } from "./judge-context.ts";
import { namedTwice, requestJson } from "./request-json.ts";
import { base58Bytes, holdsText, isStandardBase64, responseSchemas } from "./response-schemas.ts";
import {
  beginsAsTransaction,
  type HashRelation,
  type MessageReading,
  messageHashRelation,
  readTransaction,
  type TransactionReading,
} from "./transaction.ts";

/** Judges a draft beyond the form of its fields (contract, "Unsigned draft"). */
export function judgeDraft(exchange: Exchange, context: JudgeContext): Judgement {
  const { body } = exchange;
  const input = requestJson(exchange.request);
  const transaction = transactionOf(body);
  const hashed = transaction === undefined ? undefined : messageHashRelation(body, transaction);
  const besideOthers = context.drafts?.compare(exchange, { transaction, hashed, input });
  return {
    mismatches: [
      ...judgeFixedKeys(body, context),
      ...judgeSigners(body, input),
      ...judgeTransaction(body, transaction, input),
      ...judgeOwner(exchange, transaction, context),
      ...judgeCost(body["cost"]),
      ...(besideOthers?.mismatches ?? []),
    ],
    observations: observeDraft(exchange, transaction, hashed),
    advice: [...adviseOnDraft(body, transaction, hashed), ...(besideOthers?.advice ?? [])],
  };
}

/** The keys of a draft are the profile's: a client cannot choose them ("What the service does"). */
function judgeFixedKeys(body: Exchange["body"], { profile }: JudgeContext): readonly Mismatch[] {
  const rules = { platform: "DRAFT-6", feeWallet: "DRAFT-7", withdrawAuthority: "DRAFT-8" };
  return Object.entries(rules).flatMap(([field, rule]): Mismatch[] => {
    const fixed = profile?.[field];
    if (typeof fixed !== "string" || typeof body[field] !== "string" || body[field] === fixed) return [];
    return [{ rule, path: field, expected: `the profile's, ${fixed}`, got: show(body[field]) }];
  });
}

function judgeSigners(body: Exchange["body"], input: Exchange["body"] | undefined): readonly Mismatch[] {
  const signers = body["requiredSigners"];
  if (!Array.isArray(signers) || input === undefined) return [];
  const expected = [input["creator"], input["mint"]];
  if (JSON.stringify(signers) === JSON.stringify(expected)) return [];
  return [
    {
      rule: "DRAFT-9",
      path: "requiredSigners",
      expected: `creator, then mint: ${show(expected)}`,
      got: show(signers),
    },
  ];
}

function transactionOf(body: Exchange["body"]): TransactionReading | undefined {
  const base64 = body["unsignedTransactionBase64"];
  return typeof base64 === "string" ? readTransaction(Buffer.from(base64, "base64")) : undefined;
}

function judgeTransaction(
  body: Exchange["body"],
  transaction: TransactionReading | undefined,
  input: Exchange["body"] | undefined,
): readonly Mismatch[] {
  const base64 = body["unsignedTransactionBase64"];
  // A text that is not base64 violates the rule of its form, and has no bytes to judge.
  if (typeof base64 !== "string" || !isStandardBase64(base64)) return [];
  const path = "unsignedTransactionBase64";
  const expected = "two signatures of 64 zero bytes, then the message";
  if (transaction === undefined) {
    // A first byte above 3 is not a count of signatures: the format is another one.
    if (countOf(base64) > 3 && holdsTwoZeroSignatures(base64)) return [];
    return [{ rule: "DRAFT-12", path, expected, got: "too few bytes for its signatures" }];
  }
  const { signatures, message } = transaction;
  const used = signatures.filter((signature) => signature.some((byte) => byte !== 0)).length;
  if (!message.whole && !beginsAsTransaction(transaction) && holdsTwoZeroSignatures(base64)) return [];
  if (signatures.length !== 2 || used > 0) {
    return [
      { rule: "DRAFT-12", path, expected, got: `${signatures.length} signatures, ${used} of them not zero` },
    ];
  }
  return judgeTransactionSigners(message, wantedSigners(body, input));
}

/** The expected signers: those of the request, or of the draft where the request cannot be read. */
function wantedSigners(body: Exchange["body"], input: Exchange["body"] | undefined): readonly string[] {
  const named: unknown = input === undefined ? body["requiredSigners"] : [input["creator"], input["mint"]];
  return Array.isArray(named) ? named.filter((key) => typeof key === "string") : [];
}

/**
 * Judges the signers of a message. Bytes that cannot be read to their end may have a format of the service's own, unless they
 * name a signer at the place of an account.
 */
function judgeTransactionSigners(message: MessageReading, wanted: readonly string[]): readonly Mismatch[] {
  const { accounts, requiredSignatures: required, whole } = message;
  if (accounts === undefined || required === undefined) return [];
  if (!whole && !wanted.some((key) => accounts.includes(key))) return [];
  const signers = accounts.slice(0, required);
  if (required === 2 && signers.length === 2 && wanted.every((key) => signers.includes(key))) return [];
  return [
    {
      rule: "DRAFT-13",
      path: "unsignedTransactionBase64",
      expected: `2 signers, ${wanted.join(" and ")}`,
      got: `${required} signers, ${signers.join(", ") || "of no account"}`,
    },
  ];
}

function countOf(base64: string): number {
  return Buffer.from(base64, "base64")[0] ?? 0;
}

/**
 * Whether bytes in a format of the service's own hold two empty signatures side by side, wherever: two times 64 zero bytes,
 * possibly with other zeros next to them, but fewer than a third signature has.
 */
function holdsTwoZeroSignatures(base64: string): boolean {
  const runs = Buffer.from(base64, "base64").toString("latin1").match(/\0+/g) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
  return longest >= 2 * 64 && longest < 3 * 64;
}

function judgeCost(cost: unknown): readonly Mismatch[] {
  if (!isObject(cost)) return [];
  const { minimumLamports, reserveLamports, recommendedLamports } = cost;
  if (![minimumLamports, reserveLamports, recommendedLamports].every((value) => Number.isInteger(value)))
    return [];
  const sum = (minimumLamports as number) + (reserveLamports as number);
  if (recommendedLamports === sum) return [];
  return [
    {
      rule: "COST-8",
      path: "cost.recommendedLamports",
      expected: String(sum),
      got: show(recommendedLamports),
    },
  ];
}

function adviseOnDraft(
  body: Exchange["body"],
  transaction: TransactionReading | undefined,
  hashed: HashRelation | undefined,
): readonly Advice[] {
  const advice: Advice[] = [];
  const { cost } = body;
  if (isObject(cost) && lamports(cost["minimumLamports"]) < rentsAndFee(cost)) {
    advice.push({
      rule: "COST-10",
      message: "minimumLamports is less than the rents of the four accounts and the network fee",
    });
  }
  if (isObject(cost) && !rentsGoBySize(cost)) {
    advice.push({
      rule: "COST-40",
      message:
        "rents do not follow sizes: a smaller account has a higher rent, or two of one size have different rents",
    });
  }
  const place = transaction === undefined ? undefined : whereItBreaks(transaction);
  if (place !== undefined || transaction === undefined) {
    advice.push({
      rule: "DRAFT-20",
      message: `unsignedTransactionBase64 is not a transaction in the Solana wire format: ${place ?? NOT_BEGUN}`,
    });
  }
  if (hashed === "other") {
    advice.push({
      rule: "DRAFT-21",
      message: "messageHash is not the SHA-256 of the transaction's message, nor of the whole transaction",
    });
  }
  return advice;
}

function rentsGoBySize(cost: Exchange["body"]): boolean {
  const accounts = costAccounts(cost).map(({ bytes, historicalRentLamports }) => ({
    bytes: lamports(bytes),
    rent: lamports(historicalRentLamports),
  }));
  return accounts.every((one) =>
    accounts.every((other) =>
      one.bytes === other.bytes ? one.rent === other.rent : one.bytes > other.bytes || one.rent <= other.rent,
    ),
  );
}

const NOT_BEGUN = "it does not begin with a count of two and two empty signatures";

/** The first place where the bytes are not a transaction with two empty signatures; undefined where there is none. */
function whereItBreaks(transaction: TransactionReading): string | undefined {
  return beginsAsTransaction(transaction) ? transaction.message.fault : NOT_BEGUN;
}

/**
 * Judges whether a draft is for the session's creator (contract, "POST /v1/launch/build" 1) and, where the request names a
 * member twice, not for a value that would be refused by itself.
 */
function judgeOwner(
  { request, body }: Exchange,
  transaction: TransactionReading | undefined,
  context: JudgeContext,
): readonly Mismatch[] {
  const stated: readonly unknown[] = Array.isArray(body["requiredSigners"]) ? body["requiredSigners"] : [];
  const signers = transaction === undefined ? undefined : signersOf(transaction, stated);
  const found: Mismatch[] = [];
  const creator = context.creatorOf?.(request.bearer);
  if (creator !== undefined) {
    const expected = `the session's creator, ${creator}`;
    const wrong = (path: string, got: unknown) =>
      found.push({ rule: "LAUNCH-41", path, expected, got: show(got) });
    if (stated.length > 0 && stated[0] !== creator) wrong("requiredSigners.0", stated[0]);
    if (signers !== undefined && !signers.includes(creator)) wrong("unsignedTransactionBase64", signers);
  }
  const expected = "no value that would be refused by itself";
  for (const [name, values] of namedTwice(request)) {
    const refused = values.filter((value) => isRefused(name, value, creator, context));
    const [path, used] = whereUsed(name, refused, stated, transaction) ?? [];
    if (path !== undefined) found.push({ rule: "LAUNCH-42", path, expected, got: `${name} ${show(used)}` });
  }
  return found;
}

/** The signers; undefined where the bytes may have another format: they end too soon, and name no expected signer. */
function signersOf(
  { message: { whole, accounts, requiredSignatures } }: TransactionReading,
  stated: readonly unknown[],
): readonly string[] | undefined {
  const meantSo = whole || accounts?.some((account) => stated.includes(account));
  return meantSo ? accounts?.slice(0, requiredSignatures) : undefined;
}

function whereUsed(
  name: string,
  refused: readonly string[],
  stated: readonly unknown[],
  transaction: TransactionReading | undefined,
): readonly [path: string, value: string] | undefined {
  if (name === "mint") {
    const used = refused.find((value) => value === stated[1]);
    return used === undefined ? undefined : ["requiredSigners.1", used];
  }
  if (transaction === undefined) return undefined;
  const { messageBytes } = transaction;
  const used = refused.find((value) => value !== "" && holdsText(messageBytes, value));
  return used === undefined ? undefined : ["unsignedTransactionBase64", used];
}

/** Whether a build with this value, and nothing else at fault, must be refused (contract, "Launch request"). */
function isRefused(
  name: string,
  value: string,
  creator: string | undefined,
  { facts }: JudgeContext,
): boolean {
  switch (name) {
    case "mint":
      return value === creator || value === facts.operatorKey || base58Bytes(value)?.length !== 32;
    case "name":
    case "symbol":
      return Buffer.byteLength(value) > launchBounds(name).utf8Bytes;
    case "uri":
      return !facts.metadataHosts.some((host) => value.toLowerCase().startsWith(`https://${host}/`));
    default:
      return false;
  }
}

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
function observeDraft(
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
function costAccounts({ accounts }: JsonObject): readonly JsonObject[] {
  return Array.isArray(accounts) ? accounts.filter(isObject) : [];
}

/** The sum of the rents and the network fee of a cost, in lamports; NaN where a figure is not a number. */
function rentsAndFee(cost: JsonObject): number {
  const accounts = costAccounts(cost);
  const rents = accounts.reduce((sum, account) => sum + lamports(account["historicalRentLamports"]), 0);
  return rents + lamports(cost["networkFeeLamports"]);
}

/** A figure, or NaN where it is not a number. */
function lamports(value: unknown): number {
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
