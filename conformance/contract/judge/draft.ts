import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import { type Advice, type Judgement, type Mismatch, show } from "../../engine/play/judgement.ts";
import { launchBounds } from "../request-fields.ts";
import { UNKNOWN_HOST } from "../unknown-host.ts";
import type { JudgeContext } from "./judge-context.ts";
import {
  costAccounts,
  type HashRelation,
  lamports,
  messageHashRelation,
  observeDraft,
  rentsAndFee,
} from "./observe-draft.ts";
import { namedTwice, requestJson } from "./request-json.ts";
import { base58Bytes, holdsText, isStandardBase64 } from "./response-schemas.ts";
import {
  beginsAsTransaction,
  type MessageReading,
  readTransaction,
  type TransactionReading,
} from "./transaction.ts";

/** What a draft says beyond the form of its fields (contract, "Unsigned draft"). */
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
  // A text that is no base64 breaks the rule of its form, and stands for no bytes that could break another.
  if (typeof base64 !== "string" || !isStandardBase64(base64)) return [];
  const path = "unsignedTransactionBase64";
  const expected = "two signatures of 64 zero bytes, then the message";
  if (transaction === undefined) {
    // A first byte that counts more signatures than anybody needs is no count at all.
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

/** Who has to sign: those of the request, and where it cannot be read, those that the draft names itself. */
function wantedSigners(body: Exchange["body"], input: Exchange["body"] | undefined): readonly string[] {
  const named: unknown = input === undefined ? body["requiredSigners"] : [input["creator"], input["mint"]];
  return Array.isArray(named) ? named.filter((key) => typeof key === "string") : [];
}

/**
 * Holds a message to its signers. Bytes that cannot be read to their end may be of a format of the service's own, in
 * which they mean something else; but where they name a signer at the place of an account, they are meant so.
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
 * In a format of the service's own, the place of the signatures is not shown: two of 64 zero bytes side by side will
 * do. There may be other zeros next to them, but not as many as a third signature has.
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
      message: "rents do not go by size: a smaller account has a higher rent, or one as large another",
    });
  }
  const place = transaction === undefined ? undefined : whereItBreaks(transaction);
  if (place !== undefined || transaction === undefined) {
    advice.push({
      rule: "DRAFT-20",
      message: `unsignedTransactionBase64 is no transaction in the Solana wire format: ${place ?? NOT_BEGUN}`,
    });
  }
  if (hashed === "other") {
    advice.push({
      rule: "DRAFT-21",
      message: "messageHash is no SHA-256 of the transaction's message, nor of the whole",
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

/** Where the bytes are first no transaction with two empty signatures; undefined where they are one. */
function whereItBreaks(transaction: TransactionReading): string | undefined {
  return beginsAsTransaction(transaction) ? transaction.message.fault : NOT_BEGUN;
}

/**
 * Whether a draft is for whom and for what was checked: for the session's creator (contract, "POST /v1/launch/build" 1),
 * and, where the request names a member twice, not for a value that would be refused by itself.
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

/**
 * Who signs; undefined where the bytes may be of a format of their own, in which they mean something else: they cannot be
 * read to their end, and name nobody who is to sign.
 */
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
      return !facts.metadataHosts.some(
        (host) => host === UNKNOWN_HOST || value.toLowerCase().startsWith(`https://${host}/`),
      );
    default:
      return false;
  }
}
