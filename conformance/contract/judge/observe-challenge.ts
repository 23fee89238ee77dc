import type { SignedBytes } from "../../adapters/adapter.ts";
import type { Exchange } from "../../engine/play/exchange.ts";
import type { Observation } from "../../engine/play/judgement.ts";
import { readableBytes } from "../keys/message-bytes.ts";
import { holdsText } from "./holds-text.ts";
import type { JudgeContext } from "./judge-context.ts";
import { hexForm, keyForm } from "./message-forms.ts";
import { requestJson } from "./request-json.ts";
import { timestampForm } from "./timestamp.ts";

/** Which readings of the open points about challenges an answer shows. */
export function observeChallenge(exchange: Exchange, context: JudgeContext): readonly Observation[] {
  const { body, request, sentAt } = exchange;
  const { message, expiresAt } = body;
  const found: Observation[] = [];
  const see = (point: string, reading: string | undefined) => {
    if (reading !== undefined) found.push({ point, reading });
  };
  see("CHALLENGE-TIMESTAMP-FORMAT", timestampForm(expiresAt, sentAt));
  const { signedBytes } = context.facts;
  const bytes = readableBytes(exchange, signedBytes);
  if (typeof message !== "string" || bytes === undefined) return found;
  const creator = requestJson(request)?.["creator"];
  const termsHash = context.profile?.["termsHash"];
  see("MESSAGE-LAYOUT", ENCODED.has(signedBytes) ? "encoded" : layoutOf(message));
  if (typeof creator === "string") see("MESSAGE-CREATOR-FORM", keyForm(bytes, creator));
  if (typeof termsHash === "string") see("MESSAGE-TERMS-FORM", hexForm(bytes, termsHash));
  const written = typeof expiresAt === "string" || typeof expiresAt === "number" ? String(expiresAt) : "";
  see("MESSAGE-EXPIRY-FORM", written !== "" && holdsText(bytes, written) ? "same" : "other");
  return found;
}

/** Forms in which the message is no text that is meant to be read. */
const ENCODED: ReadonlySet<SignedBytes> = new Set<SignedBytes>(["hex", "base64"]);

function layoutOf(message: string): string {
  if (isJsonObject(message)) return "json";
  if (!/^[\t\n\r -~\u00a0-\uffff]+$/.test(message)) return "other";
  return message.trim().includes("\n") ? "lines" : "one-line";
}

function isJsonObject(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
