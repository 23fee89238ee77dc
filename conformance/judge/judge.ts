import { judgeChallenge, observeChallenge } from "./challenge.ts";
import { judgeDraft } from "./draft.ts";
import { judgeEnvelope } from "./envelope.ts";
import { type Exchange, isObject } from "./exchange.ts";
import type { Advice, JudgeContext, Judgement, Mismatch, Observation } from "./judgement.ts";
import { judgeLifetime } from "./lifetime.ts";
import { judgePlatform } from "./platform.ts";
import type { ResponseSchemas } from "./response-schemas.ts";
import { observeBearer, observeExtraFields, observeTimestamp } from "./observe.ts";

const SESSION_LIFETIME_MS = 3_600_000;

/**
 * Judges one answer by everything that holds for such an answer in any situation: the envelope, the fields of the
 * operation's response, and what they say together. What a *particular* request must get is the vector's matter.
 */
export function judgeExchange(exchange: Exchange, schemas: ResponseSchemas, context: JudgeContext): Judgement {
  const general = judgeEnvelope(exchange, schemas);
  if (exchange.status !== 200 || exchange.operation === "other" || !isObject(exchange.envelope) || !isObject(exchange.envelope["body"])) {
    return { mismatches: general, observations: [], advice: [] };
  }
  const particular = judgeOperation(exchange, context);
  const mismatches = [...general, ...schemas.check(exchange.operation, exchange.body), ...particular.mismatches];
  return {
    mismatches: distinct(mismatches),
    observations: [...particular.observations, ...observeExtraFields(exchange, schemas)],
    advice: particular.advice,
  };
}

function judgeOperation(exchange: Exchange, context: JudgeContext): Judgement {
  const { body } = exchange;
  const none: readonly Advice[] = [];
  switch (exchange.operation) {
    case "platform":
      return { mismatches: judgePlatform(exchange, context), observations: [], advice: none };
    case "challenge": {
      const observations: readonly Observation[] = [...observeChallenge(exchange), ...observeTimestamp(body["expiresAt"])];
      return { mismatches: judgeChallenge(exchange, context), observations, advice: none };
    }
    case "verify": {
      const mismatches = judgeLifetime(exchange, body["expiresAt"], SESSION_LIFETIME_MS, "SESSION-2", context);
      const { observations, advice } = observeBearer(body["bearer"]);
      return { mismatches, observations: [...observations, ...observeTimestamp(body["expiresAt"])], advice };
    }
    default:
      return judgeDraft(exchange, context);
  }
}

/** One mismatch for each rule and place. */
function distinct(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const seen = new Set<string>();
  return mismatches.filter(({ rule, path }) => {
    const key = `${rule} ${path}`;
    return !seen.has(key) && seen.add(key);
  });
}
