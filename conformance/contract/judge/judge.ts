import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import type { Judgement, Mismatch } from "../../engine/play/judgement.ts";
import { LIFETIME_MS } from "../operations.ts";
import { adviseOnForm, judgeChallenge, seen } from "./challenge.ts";
import { judgeDraft } from "./draft.ts";
import { judgeEnvelope } from "./envelope.ts";
import { adviseOnError } from "./error-text.ts";
import { isFrameworkAnswer, judgeFrameworkAnswer } from "./framework-answer.ts";
import type { JudgeContext } from "./judge-context.ts";
import { observeBearer, observeExtraFields } from "./observe.ts";
import { judgePlatform } from "./platform.ts";
import { responseSchemas } from "./response-schemas.ts";
import { judgeLifetime, timestampForm } from "./timestamp.ts";

/**
 * Judges one answer by everything that holds for such an answer in any situation: the envelope, the fields of the
 * operation's response, and what they say together. What a *particular* request must get is the vector's matter.
 */
export function judgeExchange(exchange: Exchange, context: JudgeContext): Judgement {
  if (isFrameworkAnswer(exchange, context)) return { ...judgeFrameworkAnswer(exchange), observations: [] };
  const schemas = responseSchemas();
  const general = judgeEnvelope(exchange, schemas);
  const extra = observeExtraFields(exchange, schemas);
  const { envelope, operation, status } = exchange;
  if (status !== 200 || operation === "other" || !isObject(envelope) || !isObject(envelope["body"])) {
    const advice = status === 200 ? [] : adviseOnError(exchange);
    return { mismatches: general, observations: extra, advice };
  }
  const particular = judgeOperation(exchange, context);
  const mismatches = [...general, ...schemas.check(operation, exchange.body), ...particular.mismatches];
  const life = context.timekeeping.lives.find((one) => one.operation === operation);
  return {
    mismatches: distinct(mismatches),
    observations: [...particular.observations, ...extra],
    advice: [...particular.advice, ...(life?.advice ?? [])],
  };
}

function judgeOperation(exchange: Exchange, context: JudgeContext): Judgement {
  const { body } = exchange;
  switch (exchange.operation) {
    case "platform":
      return { mismatches: judgePlatform(exchange, context), observations: [], advice: [] };
    case "challenge":
      return judgeChallenge(exchange, context);
    case "verify": {
      const { observations, advice } = observeBearer(body["bearer"]);
      return {
        mismatches: judgeLifetime(exchange, LIFETIME_MS.session, "SESSION-2", context),
        observations: [
          ...observations,
          { point: "SIGNED-BYTES", reading: context.facts.signedBytes },
          ...seen("SESSION-TIMESTAMP-FORMAT", timestampForm(body["expiresAt"], exchange.sentAt)),
        ],
        advice: [...advice, ...adviseOnForm("SESSION-40", exchange)],
      };
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
