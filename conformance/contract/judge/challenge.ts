import type { Exchange } from "../../engine/play/exchange.ts";
import { type Mismatch, show } from "../../engine/play/judgement.ts";
import { AUDIENCE, LIFETIME_MS } from "../operations.ts";
import type { ChallengeMessage } from "./challenge-message.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeLifetime } from "./lifetime.ts";
import { containsMoment, parseTimestamp } from "./timestamp.ts";

/** What a challenge says beyond the form of its fields (contract, "Challenge"). */
export function judgeChallenge(
  exchange: Exchange,
  message: ChallengeMessage | undefined,
  context: JudgeContext,
): readonly Mismatch[] {
  const { expiresAt } = exchange.body;
  const found = [...judgeLifetime(exchange, expiresAt, LIFETIME_MS.challenge, "CHALLENGE-9", context)];
  if (message === undefined) return found;
  const lacks = (rule: string, what: string) => {
    const got = show(exchange.body["message"], 400);
    found.push({ rule, path: "message", expected: `one that contains ${what}`, got });
  };

  const { creator, termsHash } = message;
  if (creator !== undefined && message.creatorForm === undefined)
    lacks("CHALLENGE-5", `the creator ${creator}`);
  if (!message.namesAudience) lacks("CHALLENGE-6", `the audience ${AUDIENCE}`);
  if (termsHash !== undefined && message.termsForm === undefined)
    lacks("CHALLENGE-7", `the terms hash ${termsHash}`);
  if (message.holdsExpiry) return found;
  const expiry = parseTimestamp(expiresAt, exchange.sentAt + LIFETIME_MS.challenge);
  const toleranceMs = 1000 + context.clockToleranceMs;
  if (expiry !== undefined && !containsMoment(message.bytes, expiry.ms, toleranceMs))
    lacks("CHALLENGE-8", `the expiry ${show(expiresAt)} in any form`);
  return found;
}
