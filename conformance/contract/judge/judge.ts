import { type Exchange, isObject } from "../../engine/play/exchange.ts";
import { type Advice, type Judgement, type Mismatch, show } from "../../engine/play/judgement.ts";
import { LIFETIME_MS } from "../operations.ts";
import { judgeChallenge } from "./challenge.ts";
import { challengeMessage } from "./challenge-message.ts";
import { judgeDraft } from "./draft.ts";
import { judgeEnvelope } from "./envelope.ts";
import { adviseOnError } from "./error-text.ts";
import { isFrameworkAnswer, judgeFrameworkAnswer } from "./framework-answer.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeLifetime } from "./lifetime.ts";
import { observeBearer, observeExtraFields } from "./observe.ts";
import { observeChallenge } from "./observe-challenge.ts";
import { judgePlatform } from "./platform.ts";
import { responseSchemas } from "./response-schemas.ts";
import { timestampForm, UNREADABLE } from "./timestamp.ts";

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
  return {
    mismatches: distinct(mismatches),
    observations: [...particular.observations, ...extra],
    advice: particular.advice,
  };
}

function judgeOperation(exchange: Exchange, context: JudgeContext): Judgement {
  const { body } = exchange;
  switch (exchange.operation) {
    case "platform":
      return { mismatches: judgePlatform(exchange, context), observations: [], advice: [] };
    case "challenge": {
      const message = challengeMessage(exchange, context);
      return {
        mismatches: judgeChallenge(exchange, message, context),
        observations: observeChallenge(exchange, message, context),
        advice: adviseOnMoment("CHALLENGE-40", exchange),
      };
    }
    case "verify": {
      const { observations, advice } = observeBearer(body["bearer"]);
      const form = timestampForm(body["expiresAt"], exchange.sentAt);
      return {
        mismatches: judgeLifetime(exchange, body["expiresAt"], LIFETIME_MS.session, "SESSION-2", context),
        observations: [
          ...observations,
          { point: "SIGNED-BYTES", reading: context.facts.signedBytes },
          ...(form === undefined ? [] : [{ point: "SESSION-TIMESTAMP-FORMAT", reading: form }]),
        ],
        advice: [...advice, ...adviseOnMoment("SESSION-40", exchange)],
      };
    }
    default:
      return judgeDraft(exchange, context);
  }
}

/** What was not judged, and what to do about it. */
function adviseOnMoment(rule: string, { body, sentAt }: Exchange): readonly Advice[] {
  const { expiresAt } = body;
  if (timestampForm(expiresAt, sentAt) !== UNREADABLE) return [];
  const what = `expiresAt is ${show(expiresAt, 80)}, a form that the kit cannot read`;
  const then = "its value, and whether the message contains it, was not judged";
  return [{ rule, message: `${what}: ${then}; ISO 8601 or a number of the Unix epoch would be` }];
}

/** One mismatch for each rule and place. */
function distinct(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const seen = new Set<string>();
  return mismatches.filter(({ rule, path }) => {
    const key = `${rule} ${path}`;
    return !seen.has(key) && seen.add(key);
  });
}
