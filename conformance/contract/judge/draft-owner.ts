import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import { launchBounds } from "../request-fields.ts";
import { UNKNOWN_HOST } from "../unknown-host.ts";
import { holdsText } from "./holds-text.ts";
import type { JudgeContext } from "./judge-context.ts";
import { namedTwice } from "./request-json.ts";
import { base58Bytes } from "./response-schemas.ts";
import type { TransactionReading } from "./transaction.ts";

/**
 * Whether a draft is for whom and for what was checked: for the session's creator (contract, "POST /v1/launch/build" 1),
 * and, where the request names a member twice, not for a value that would be refused by itself.
 */
export function judgeOwner(
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
