import type { Exchange } from "../../engine/play/exchange.ts";
import type { Observation } from "../../engine/play/judgement.ts";
import { type ChallengeMessage, ENCODED } from "./challenge-message.ts";
import type { JudgeContext } from "./judge-context.ts";
import { timestampForm } from "./timestamp.ts";

/** Which readings of the open points about challenges an answer shows. */
export function observeChallenge(
  { body, sentAt }: Exchange,
  said: ChallengeMessage | undefined,
  { facts: { signedBytes } }: JudgeContext,
): readonly Observation[] {
  const { message, expiresAt } = body;
  const found: Observation[] = [];
  const see = (point: string, reading: string | undefined) => {
    if (reading !== undefined) found.push({ point, reading });
  };
  see("CHALLENGE-TIMESTAMP-FORMAT", timestampForm(expiresAt, sentAt));
  if (typeof message !== "string" || said === undefined) return found;
  see("MESSAGE-LAYOUT", ENCODED.has(signedBytes) ? "encoded" : layoutOf(message));
  see("MESSAGE-CREATOR-FORM", said.creatorForm);
  see("MESSAGE-TERMS-FORM", said.termsForm);
  const isWritten = typeof expiresAt === "number" || (typeof expiresAt === "string" && expiresAt !== "");
  see("MESSAGE-EXPIRY-FORM", isWritten && said.holdsExpiry ? "same" : "other");
  return found;
}

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
