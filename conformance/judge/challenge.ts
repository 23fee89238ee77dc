import { messageBytes } from "../crypto/proof.ts";
import { type Exchange, requestJson } from "./exchange.ts";
import { type JudgeContext, type Mismatch, type Observation, show } from "./judgement.ts";
import { judgeLifetime } from "./lifetime.ts";
import { base58Bytes } from "./response-schemas.ts";
import { containsMoment, parseTimestamp } from "./timestamp.ts";

const LIFETIME_MS = 60_000;
const AUDIENCE = "offline-demo";

/** What a challenge says beyond the form of its fields (contract, "Challenge"). */
export function judgeChallenge(exchange: Exchange, context: JudgeContext): readonly Mismatch[] {
  const { message, expiresAt } = exchange.body;
  const found = [...judgeLifetime(exchange, expiresAt, LIFETIME_MS, "CHALLENGE-9", context)];
  if (typeof message !== "string") return found;
  const bytes = messageBytes(message, context.facts.signedBytes);
  const lacks = (rule: string, what: string) =>
    found.push({ rule, path: "message", expected: `contains ${what}`, got: show(message, 400) });

  const creator = requestJson(exchange.request)?.["creator"];
  if (typeof creator === "string" && !containsKey(bytes, creator)) lacks("CHALLENGE-5", `the creator ${creator}`);
  if (!Buffer.from(bytes).includes(AUDIENCE)) lacks("CHALLENGE-6", `the audience ${AUDIENCE}`);
  const termsHash = context.profile?.["termsHash"];
  if (typeof termsHash === "string" && !containsHex(bytes, termsHash)) lacks("CHALLENGE-7", `the terms hash ${termsHash}`);
  const expiry = parseTimestamp(expiresAt);
  if (expiry !== undefined && !containsMoment(bytes, expiry.ms, 1000 + context.clockToleranceMs)) {
    lacks("CHALLENGE-8", `the expiry ${show(expiresAt)} in any form`);
  }
  return found;
}

/** How the message is laid out, which the contract leaves open. */
export function observeChallenge(exchange: Exchange): readonly Observation[] {
  const { message } = exchange.body;
  if (typeof message !== "string") return [];
  return [{ point: "MESSAGE-LAYOUT", reading: layoutOf(message) }];
}

function layoutOf(message: string): string {
  try {
    const value: unknown = JSON.parse(message);
    if (typeof value === "object" && value !== null) return "json";
  } catch {
    // No JSON: one of the other layouts.
  }
  return message.trim().includes("\n") ? "lines" : "other";
}

/** Base58 text, the raw bytes of the key, or their hexadecimal. */
function containsKey(bytes: Uint8Array, address: string): boolean {
  const haystack = Buffer.from(bytes);
  if (haystack.includes(address)) return true;
  const key = base58Bytes(address);
  return key !== undefined && (haystack.includes(Buffer.from(key)) || containsHex(bytes, Buffer.from(key).toString("hex")));
}

/** The hexadecimal text in either case, or the bytes that it stands for. */
function containsHex(bytes: Uint8Array, hex: string): boolean {
  const haystack = Buffer.from(bytes);
  return haystack.toString("latin1").toLowerCase().includes(hex.toLowerCase()) || haystack.includes(Buffer.from(hex, "hex"));
}
