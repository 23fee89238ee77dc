import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import { readableBytes } from "../keys/message-bytes.ts";
import { AUDIENCE, LIFETIME_MS } from "../operations.ts";
import { holdsText } from "./holds-text.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeLifetime } from "./lifetime.ts";
import { hexForm, keyForm } from "./message-forms.ts";
import { requestJson } from "./request-json.ts";
import { containsMoment, parseTimestamp } from "./timestamp.ts";

/** What a challenge says beyond the form of its fields (contract, "Challenge"). */
export function judgeChallenge(exchange: Exchange, context: JudgeContext): readonly Mismatch[] {
  const { message, expiresAt } = exchange.body;
  const found = [...judgeLifetime(exchange, expiresAt, LIFETIME_MS.challenge, "CHALLENGE-9", context)];
  const bytes = readableBytes(exchange, context.facts.signedBytes);
  if (bytes === undefined) return found;
  const lacks = (rule: string, what: string) =>
    found.push({ rule, path: "message", expected: `one that contains ${what}`, got: show(message, 400) });

  const creator = requestJson(exchange.request)?.["creator"];
  if (typeof creator === "string" && keyForm(bytes, creator) === undefined)
    lacks("CHALLENGE-5", `the creator ${creator}`);
  if (!holdsText(bytes, AUDIENCE)) lacks("CHALLENGE-6", `the audience ${AUDIENCE}`);
  const termsHash = context.profile?.["termsHash"];
  if (typeof termsHash === "string" && hexForm(bytes, termsHash) === undefined)
    lacks("CHALLENGE-7", `the terms hash ${termsHash}`);
  const expiry = parseTimestamp(expiresAt, exchange.sentAt + LIFETIME_MS.challenge);
  const toleranceMs = 1000 + context.clockToleranceMs;
  if (
    expiry !== undefined &&
    !holdsAsWritten(bytes, expiresAt) &&
    !containsMoment(bytes, expiry.ms, toleranceMs)
  ) {
    lacks("CHALLENGE-8", `the expiry ${show(expiresAt)} in any form`);
  }
  return found;
}

/** Whether the message holds the expiry just as the answer writes it. */
function holdsAsWritten(message: Uint8Array, expiresAt: unknown): boolean {
  const written = typeof expiresAt === "string" ? expiresAt : JSON.stringify(expiresAt);
  return holdsText(message, written);
}
